/** Publishing: the pages as tests, the difference to the version before, and how to use it. */
import * as api from "./api.js";
import { counted, fill, h } from "./dom.js";
import { changes, recordTable, words } from "./differences.js";

export class Publish {
  /** `told` gives messages to the person; `project` is the project's name. */
  constructor(container, { project, told }) {
    this.container = container;
    this.project = project;
    this.told = told;
  }

  /** Rehearse, and show what publishing would do. */
  async show() {
    fill(this.container, h("p", { class: "waiting", role: "status" }, "Trying the wrapper on all pages…"));
    const [rehearsal, versions] = await Promise.all([api.rehearsal(this.project), api.versions(this.project)]);
    this.rehearsal = rehearsal;
    fill(
      this.container,
      h("div", { class: "screen" }, this.plan(versions), this.history(versions)),
    );
  }

  plan(versions) {
    const { rehearsal } = this;
    if (!rehearsal.wrapper) {
      const reason = rehearsal.conflict?.reason ?? "nothing is marked yet";
      return h(
        "section",
        { class: "card" },
        h("h2", {}, "Nothing to publish yet"),
        h("p", {}, rehearsal.conflict ? `No wrapper fits all marks: ${reason}.` : "Mark a record on a page first."),
      );
    }
    const failed = rehearsal.tests.filter((one) => !one.passed);
    const name = h("input", {
      id: "publish-name",
      value: versions[0]?.name ?? this.project.replace(/[^A-Za-z0-9._-]+/g, "-"),
      pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*",
      required: true,
      autocomplete: "off",
      "data-key": "publish-name",
    });
    const anyway = h("input", { type: "checkbox", id: "publish-anyway" });
    const form = h(
      "form",
      { class: "line", onsubmit: (event) => this.publish(event, name.value, anyway.checked) },
      h("label", { for: "publish-name" }, "Name"),
      name,
      h("span", { class: "quiet" }, `version ${(versions[0]?.number ?? 0) + 1}`),
      failed.length > 0 && h("label", { class: "choice" }, anyway, "though pages come out otherwise"),
      h("button", { type: "submit", class: "primary" }, "Publish"),
    );
    return h(
      "div",
      {},
      h(
        "section",
        { class: "card" },
        h("h2", {}, "Publish"),
        rehearsal.explanation.warned.map((line) => h("p", { class: "warning" }, line)),
        form,
      ),
      this.tests(failed),
      rehearsal.difference &&
        h(
          "section",
          { class: "card" },
          h("h2", {}, `What changes since version ${rehearsal.before}`),
          words(rehearsal.difference.words),
          changes(rehearsal.difference.pages),
        ),
    );
  }

  tests(failed) {
    const { tests } = this.rehearsal;
    const passed = tests.length - failed.length;
    const verdict = !tests.length
      ? "No page is accepted yet, so nothing tests the wrapper: accept a page or two with Enter."
      : `${passed} of ${counted(tests.length, "accepted page")} come out as marked.`;
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "Tests"),
      h("p", { class: failed.length || !tests.length ? "warning" : "good" }, verdict),
      failed.map((one) =>
        h(
          "details",
          { open: failed.length === 1 },
          h("summary", {}, one.page),
          one.failure && h("p", { class: "warning" }, one.failure),
          recordTable("Marked, but not found", one.missing),
          recordTable("Found, but not marked", one.extra),
        ),
      ),
    );
  }

  history(versions) {
    this.shown = h("div", {});
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "Versions"),
      versions.length === 0 && h("p", { class: "quiet" }, "None so far."),
      h(
        "ul",
        { class: "plain" },
        versions.map((one) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "link", onclick: () => this.open(one.number) },
              `${one.name}, version ${one.number}`,
            ),
            h("span", { class: "quiet" }, ` ${new Date(one.created).toLocaleString()}`),
          ),
        ),
      ),
      this.shown,
    );
  }

  async publish(event, name, anyway) {
    event.preventDefault();
    try {
      const made = await api.publish(this.project, { revision: this.rehearsal.revision, name, anyway });
      this.told.tell(`${made.name}, version ${made.number}, is published.`);
      await this.show();
      this.use(made);
    } catch (problem) {
      this.told.tell(problem.message, "error");
    }
  }

  async open(number) {
    try {
      this.use(await api.version(this.project, number));
    } catch (problem) {
      this.told.tell(problem.message, "error");
    }
  }

  /** How a version is used, ready to be copied. */
  use(version) {
    fill(
      this.shown,
      h("h3", {}, `Use ${version.name}, version ${version.number}`),
      h("p", {}, "The service offers it at ", h("a", { href: version.uri }, `/extractors/${version.name}`), "."),
      Object.entries(version.snippets).map(([kind, text]) =>
        h(
          "details",
          { open: kind !== "scrapy" },
          h("summary", {}, kind),
          h("pre", { tabIndex: 0 }, text),
          h("button", { type: "button", onclick: () => this.copy(text) }, "Copy"),
        ),
      ),
    );
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.told.tell("Copied.");
    } catch {
      this.told.tell("The browser does not let the studio copy: select the text instead.", "warning");
    }
  }
}
