/** The registered extractors: where they come from, a box to try them, their tests, and how they did. */
import { recordTable } from "../../studio/static/differences.js";
import { counted, fill, h, stateOf } from "../../studio/static/dom.js";
import { lines } from "../../studio/static/plots.js";
import { address } from "../../studio/static/shell.js";
import * as api from "./api.js";
import { ago, exact } from "./times.js";
import { TryBox } from "./try-box.js";

const studio = (project, screen = "") => address(`studio#${encodeURIComponent(project)}${screen}`);

export class Extractors {
  constructor(container, { path, messages }) {
    this.container = container;
    this.messages = messages;
    this.name = path[0];
  }

  async show() {
    if (this.name) await this.showOne();
    else await this.showAll();
  }

  async showAll() {
    const extractors = await api.extractors();
    if (!extractors.length) {
      fill(
        this.container,
        stateOf(
          { sign: "⛶", title: "No extractor yet", text: ["Mark values in the studio and publish: the service then offers the extractor. Rules and wrappers of the command line are registered with ", h("code", {}, "PUT /extractors/NAME"), "."] },
          h("a", { class: "button primary", href: address("studio") }, "Open the studio"),
        ),
      );
      return;
    }
    const body = h("tbody", {});
    const draw = (query) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const matching = extractors.filter(({ name, kind, fields, project }) => words.every((word) => [name, kind, project ?? "", ...fields].join(" ").toLowerCase().includes(word)));
      fill(body, matching.map(line));
    };
    draw("");
    fill(
      this.container,
      h(
        "div",
        { class: "home" },
        h(
          "section",
          { class: "card", "aria-labelledby": "extractors" },
          h("h1", { id: "extractors", class: "name" }, counted(extractors.length, "extractor")),
          h("div", { class: "line" }, h("label", { class: "hidden", for: "extractor-search" }, "Search"), h("input", { id: "extractor-search", type: "search", placeholder: "Search", oninput: (event) => draw(event.target.value) })),
          h(
            "div",
            { class: "scrolling runs", tabIndex: 0, role: "group", "aria-label": "Extractors" },
            h("table", { class: "records" }, h("thead", {}, h("tr", {}, ["Name", "Kind", "Fields", "Version", "From"].map((head) => h("th", { scope: "col" }, head)))), body),
          ),
        ),
      ),
    );
  }

  async showOne() {
    const extractor = await api.extractor(this.name);
    const { name, kind, version, project, published, explanation, definition, versions, nights, snippets, warnings } = extractor;
    this.tests = h("section", { class: "card", "aria-labelledby": "tests" });
    const box = new TryBox(name, this.messages);
    this.box = box;
    fill(
      this.container,
      h(
        "div",
        { class: "home" },
        h("p", {}, h("a", { href: "#/extractors" }, "Extractors"), " / ", name),
        h("h1", { class: "name" }, name),
        h(
          "p",
          { class: "quiet" },
          `${kind}, version ${version}`,
          project ? [", published by the project ", h("a", { href: studio(project) }, project), " ", ago(published)] : ", registered over HTTP",
        ),
        (explanation?.warned ?? warnings).map((warning) => h("p", { class: "warning" }, warning)),
        box.element,
        project && this.tests,
        nights.length > 0 && nightsCard(nights),
        h(
          "section",
          { class: "card", "aria-labelledby": "what" },
          h("h2", { id: "what" }, "What it does"),
          explanation ? [h("pre", { tabIndex: 0 }, explanation.description), explanation.assurance.map((line) => h("p", { class: "quiet" }, line))] : null,
          h("details", { open: !explanation }, h("summary", {}, "Definition"), h("pre", { tabIndex: 0 }, definition)),
          versions.length > 0 && [h("h3", {}, "Versions"), h("ul", { class: "rows" }, versions.map(({ number, created }) => h("li", {}, h("a", { href: studio(project, "/~publish") }, `version ${number}`), h("span", { class: "quiet" }, exact(created)))))],
        ),
        h("section", { class: "card", "aria-labelledby": "use" }, h("h2", { id: "use" }, "Use it"), Object.entries(snippets).map(([title, text]) => [h("h3", {}, title), h("pre", { tabIndex: 0 }, text)])),
      ),
    );
    if (project) await this.showTests(project);
  }

  /** The tests run when the screen is opened: their result is that of the last version. */
  async showTests(project) {
    fill(this.tests, h("h2", { id: "tests" }, "Tests"), h("p", { class: "quiet", role: "status" }, "Running on the accepted pages…"));
    const { tests } = await api.tests(this.name);
    const failed = tests.filter(({ passed }) => !passed);
    fill(
      this.tests,
      h("h2", { id: "tests" }, "Tests"),
      tests.length
        ? h("p", { class: failed.length ? "warning" : "good" }, `${tests.length - failed.length} of ${counted(tests.length, "accepted page")} give the records that were accepted.`)
        : h("p", { class: "warning" }, "No page is accepted completely, so there is no test. ", h("a", { href: studio(project) }, "Accept a page in the studio"), "."),
      tests.map(({ page, passed, missing, extra, failure }) =>
        passed
          ? h("p", { class: "quiet" }, "✓ ", h("a", { href: studio(project, `/${encodeURIComponent(page)}`) }, page))
          : h("details", { open: failed.length === 1 }, h("summary", {}, page), failure && h("p", { class: "warning" }, failure), recordTable("Accepted, but not found", missing), recordTable("Found, but not accepted", extra)),
      ),
    );
  }

  /** Files that are dropped on the screen are tried. */
  add(files) {
    return this.box?.tryFile(files[0]);
  }
}

function line({ name, kind, fields, version, project, warnings }) {
  return h(
    "tr",
    {},
    h("td", {}, h("a", { href: `#/extractors/${encodeURIComponent(name)}` }, name), warnings.length > 0 && h("span", { class: "drift" }, ` ${counted(warnings.length, "warning")}`)),
    h("td", {}, kind),
    h("td", {}, fields.join(", ") || "–"),
    h("td", {}, version),
    h("td", {}, project ? h("a", { href: studio(project) }, project) : "HTTP"),
  );
}

function nightsCard(nights) {
  return h(
    "section",
    { class: "card", "aria-labelledby": "nights" },
    h("h2", { id: "nights" }, "In stores, over time"),
    nights.map(({ id, name, runs }) => {
      const labels = runs.map(({ number }) => `${number}`);
      const last = runs.at(-1);
      return [
        h("p", {}, h("a", { href: `#/operations/${id}` }, name), `: ${last.records.toLocaleString("en")} records in the last run (version ${last.version}), `, last.drifted ? h("span", { class: "drift" }, `drift on ${counted(last.drifted, "page")}`) : "no drift"),
        runs.length > 1 && h("div", { class: "plots" }, lines(`Records in ${name}`, labels, [{ name: "records", values: runs.map(({ records }) => records) }]), lines(`Drifted pages in ${name}`, labels, [{ name: "pages", values: runs.map(({ drifted }) => drifted) }])),
      ];
    }),
  );
}
