/** Publishes a version: the accepted pages as tests, the differences from the last version, and how to use it. */
import * as api from "./api.js";
import { counted, fill, h } from "./dom.js";
import { changes, recordTable, words } from "./differences.js";

export class Publish {
  /** `project` is the project's name. */
  constructor(container, { project, messages }) {
    this.container = container;
    this.project = project;
    this.messages = messages;
  }

  /** Try the wrapper on all pages, and show what publishing would change. */
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
    const failed = rehearsal.tests.filter(({ passed }) => !passed);
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
      failed.length > 0 && h("label", { class: "choice" }, anyway, "although pages differ from their labels"),
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
      ? "No page is accepted yet, so the wrapper has no tests. Accept one or two pages with Enter."
      : `${passed} of ${counted(tests.length, "accepted page")} match their labels.`;
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "Tests"),
      h("p", { class: failed.length || !tests.length ? "warning" : "good" }, verdict),
      failed.map(({ page, failure, missing, extra }) =>
        h(
          "details",
          { open: failed.length === 1 },
          h("summary", {}, page),
          failure && h("p", { class: "warning" }, failure),
          recordTable("Marked, but not found", missing),
          recordTable("Found, but not marked", extra),
        ),
      ),
    );
  }

  history(versions) {
    this.usage = h("div", {});
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "Versions"),
      versions.length === 0 && h("p", { class: "quiet" }, "None so far."),
      h(
        "ul",
        { class: "plain" },
        versions.map(({ name, number, created }) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "link", onclick: () => this.open(number) },
              `${name}, version ${number}`,
            ),
            h("span", { class: "quiet" }, ` ${new Date(created).toLocaleString()}`),
          ),
        ),
      ),
      this.usage,
    );
  }

  async publish(event, name, anyway) {
    event.preventDefault();
    try {
      const version = await api.publish(this.project, { revision: this.rehearsal.revision, name, anyway });
      this.messages.show(`${version.name}, version ${version.number}, is published.`);
      await this.show();
      this.use(version);
    } catch (error) {
      this.messages.show(error.message, "error");
    }
  }

  async open(number) {
    try {
      this.use(await api.version(this.project, number));
    } catch (error) {
      this.messages.show(error.message, "error");
    }
  }

  /** Show how to use a version, ready to be copied. */
  use(version) {
    fill(
      this.usage,
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
      this.messages.show("Copied.");
    } catch {
      this.messages.show("The browser does not allow copying. Select the text instead.", "warning");
    }
  }
}
