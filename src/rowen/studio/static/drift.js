/** Drift: does a published wrapper still fit new pages, and what would repair it? */
import { addressForm } from "./addresses.js";
import * as api from "./api.js";
import { changes, recordTable, words } from "./differences.js";
import { counted, fill, h } from "./dom.js";

export class Drift {
  constructor(container, { project, told, fetches }) {
    this.container = container;
    this.project = project;
    this.told = told;
    this.fetches = fetches;
  }

  async show() {
    const [versions, visit] = await Promise.all([api.versions(this.project), api.visit(this.project)]);
    if (!versions.length) {
      fill(
        this.container,
        h(
          "div",
          { class: "screen" },
          h("section", { class: "card" }, h("h2", {}, "Nothing is published yet"), h("p", {}, "Publish a version first; then new pages of the site can be tried here.")),
        ),
      );
      return;
    }
    this.version ??= versions[0].number;
    this.found = h("div", { role: "status" });
    fill(this.container, h("div", { class: "screen wide" }, this.pages(versions, visit), this.found));
    if (visit.length) await this.inspect();
  }

  pages(versions, visit) {
    const picker = h("input", { type: "file", multiple: true, hidden: true, onchange: () => this.add(picker.files) });
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "New pages of the site"),
      h(
        "div",
        { class: "line" },
        h("label", { for: "drift-version" }, "Version"),
        h(
          "select",
          { id: "drift-version", "data-key": "drift-version", onchange: (event) => this.choose(Number(event.target.value)) },
          versions.map((one) =>
            h("option", { value: one.number, selected: one.number === this.version }, `${one.name} ${one.number}`),
          ),
        ),
        h("button", { type: "button", class: "primary", onclick: () => picker.click() }, "Add pages…"),
        visit.length > 0 && h("button", { type: "button", onclick: () => this.clear() }, "Forget them"),
        picker,
      ),
      this.fetches && addressForm({ messages: this.told, take: (files) => this.add(files) }),
      h(
        "p",
        { class: "quiet" },
        visit.length
          ? `${counted(visit.length, "page")}: ${visit.slice(0, 5).join(", ")}${visit.length > 5 ? "…" : ""}`
          : "Drop pages here that were fetched today. They stay apart from the marked ones.",
      ),
    );
  }

  async add(files) {
    for (const file of files) {
      try {
        await api.addVisit(this.project, file.name, file);
      } catch (problem) {
        this.told.tell(problem.message, "error");
      }
    }
    await this.show();
  }

  async clear() {
    await this.attempt(() => api.clearVisit(this.project));
    await this.show();
  }

  async choose(version) {
    this.version = version;
    await this.show();
  }

  async inspect() {
    fill(this.found, h("p", { class: "waiting" }, "Looking…"));
    const report = await this.attempt(() => api.inspection(this.project, this.version));
    if (!report) return fill(this.found);
    const repair = h("div", {});
    fill(
      this.found,
      h(
        "section",
        { class: "card" },
        h("h2", {}, report.drift ? "It no longer fits" : "It still fits"),
        report.findings.map((one) => finding(one)),
        h(
          "table",
          { class: "records" },
          h("thead", {}, h("tr", {}, ["Page", "Records", "What is odd"].map((name) => h("th", { scope: "col" }, name)))),
          h(
            "tbody",
            {},
            report.pages.map((one) =>
              h(
                "tr",
                { class: one.drift ? "drifted" : "" },
                h("td", {}, one.page),
                h("td", {}, one.records),
                h("td", {}, one.findings.length ? one.findings.map((each) => finding(each)) : "–"),
              ),
            ),
          ),
        ),
        report.pages.filter((one) => one.records).map((one) =>
          h("details", {}, h("summary", {}, `Records of ${one.page}`), recordTable(one.page, report.records[one.page])),
        ),
        h(
          "button",
          { type: "button", class: report.drift ? "primary" : "", onclick: () => this.repair(repair) },
          "Propose a repair",
        ),
      ),
      repair,
    );
  }

  async repair(place) {
    fill(place, h("p", { class: "waiting" }, "Looking for what was known on the new pages…"));
    const repair = await this.attempt(() => api.repair(this.project, this.version));
    if (!repair) return fill(place);
    fill(
      place,
      h(
        "section",
        { class: "card" },
        h("h2", {}, "A wrapper for the new pages"),
        h("p", {}, `${counted(repair.seen, "known record")} stand on the new pages; the new wrapper gives ${repair.again} back.`),
        repair.doubts.map((doubt) => h("p", { class: "warning" }, `In doubt: ${doubt}.`)),
        repair.findings.map((one) => h("p", { class: "warning" }, one)),
        repair.explanation.warned.map((line) => h("p", { class: "warning" }, line)),
        h("h3", {}, "What changes in the wrapper"),
        words(repair.difference.words),
        h("h3", {}, "What changes in the records"),
        changes(repair.difference.pages),
        h("button", { type: "button", class: "primary", onclick: () => this.accept() }, "Accept and publish"),
      ),
    );
  }

  async accept() {
    const made = await this.attempt(() => api.acceptRepair(this.project, this.version));
    if (!made) return;
    this.told.tell(`${made.name}, version ${made.number}, is published.`);
    this.version = made.number;
    await this.show();
  }

  async attempt(work) {
    try {
      return await work();
    } catch (problem) {
      this.told.tell(problem.message, "error");
      return null;
    }
  }
}

function finding({ severity, field, message }) {
  return h("p", { class: severity === "drift" ? "warning" : "quiet" }, field ? `${field}: ${message}` : message);
}
