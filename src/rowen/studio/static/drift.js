/** Drift: does a published wrapper still fit new pages, and what would repair it? */
import { addressForm } from "./addresses.js";
import * as api from "./api.js";
import { changes, recordTable, words } from "./differences.js";
import { counted, fill, h, stateOf } from "./dom.js";

export class Drift {
  constructor(container, { project, messages, fetches }) {
    this.container = container;
    this.project = project;
    this.messages = messages;
    this.fetches = fetches;
  }

  async show() {
    const [versions, visit] = await Promise.all([api.versions(this.project), api.visit(this.project)]);
    if (!versions.length) {
      fill(
        this.container,
        stateOf(
          { sign: "⇄", title: "Nothing is published yet", text: "Publish a version first; then you can check here whether it still fits new pages of the site." },
          h("a", { href: `#${encodeURIComponent(this.project)}/~publish` }, "Publish a version"),
        ),
      );
      return;
    }
    this.version ??= versions[0].number;
    this.report = h("div", { role: "status" });
    fill(this.container, h("div", { class: "screen wide" }, this.pages(versions, visit), this.report));
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
          versions.map(({ name, number }) =>
            h("option", { value: number, selected: number === this.version }, `${name} ${number}`),
          ),
        ),
        h("button", { type: "button", class: "primary", onclick: () => picker.click() }, "Add pages…"),
        visit.length > 0 && h("button", { type: "button", onclick: () => this.clear() }, "Remove pages"),
        picker,
      ),
      this.fetches && addressForm({ messages: this.messages, take: (files) => this.add(files) }),
      h(
        "p",
        { class: "quiet" },
        visit.length
          ? `${counted(visit.length, "page")}: ${visit.slice(0, 5).join(", ")}${visit.length > 5 ? "…" : ""}`
          : "Drop newly fetched pages here. They are not added to the marked pages.",
      ),
    );
  }

  async add(files) {
    for (const file of files) {
      try {
        await api.addVisit(this.project, file.name, file);
      } catch (error) {
        this.messages.show(error.message, "error");
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
    fill(this.report, h("p", { class: "waiting" }, "Checking…"));
    const report = await this.attempt(() => api.inspection(this.project, this.version));
    if (!report) return fill(this.report);
    const repair = h("div", {});
    fill(
      this.report,
      h(
        "section",
        { class: "card" },
        h("h2", {}, report.drift ? "It no longer fits" : "It still fits"),
        report.findings.map(finding),
        h(
          "table",
          { class: "records" },
          h("thead", {}, h("tr", {}, ["Page", "Records", "Findings"].map((name) => h("th", { scope: "col" }, name)))),
          h(
            "tbody",
            {},
            report.pages.map(({ page, drift, records, findings }) =>
              h(
                "tr",
                { class: drift ? "drifted" : "" },
                h("td", {}, page),
                h("td", {}, records),
                h("td", {}, findings.length ? findings.map(finding) : "–"),
              ),
            ),
          ),
        ),
        report.pages.filter(({ records }) => records).map(({ page }) =>
          h("details", {}, h("summary", {}, `Records of ${page}`), recordTable(page, report.records[page])),
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
    fill(place, h("p", { class: "waiting" }, "Looking for known values on the new pages…"));
    const repair = await this.attempt(() => api.repair(this.project, this.version));
    if (!repair) return fill(place);
    fill(
      place,
      h(
        "section",
        { class: "card" },
        h("h2", {}, "A wrapper for the new pages"),
        h("p", {}, `${counted(repair.seen, "known record")} found on the new pages; the new wrapper extracts ${repair.again} of them.`),
        repair.doubts.map((doubt) => h("p", { class: "warning" }, `In doubt: ${doubt}.`)),
        repair.findings.map((line) => h("p", { class: "warning" }, line)),
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
    const published = await this.attempt(() => api.acceptRepair(this.project, this.version));
    if (!published) return;
    this.messages.show(`${published.name}, version ${published.number}, is published.`);
    this.version = published.number;
    await this.show();
  }

  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.messages.show(error.message, "error");
      return null;
    }
  }
}

function finding({ severity, field, message }) {
  return h("p", { class: severity === "drift" ? "warning" : "quiet" }, field ? `${field}: ${message}` : message);
}
