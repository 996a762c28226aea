/** "Get the data": the records of all pages as a table and as files, more pages to run on, and code to copy. */
import * as api from "./api.js";
import { counted, fill, h } from "./dom.js";
import { dropped as filesOf, pagesOf } from "./opening.js";
import { ResultTable } from "./results.js";

/** The formats, the usual ones first. */
const FORMATS = [
  ["csv", "CSV", "for spreadsheets and everything else"],
  ["xlsx", "Excel", "a workbook (.xlsx)"],
  ["json", "JSON", "one list, with places on the pages"],
  ["parquet", "Parquet", "typed columns, for pandas and DuckDB"],
];
const FURTHER = [["jsonl", "JSON lines"], ["tsv", "TSV"], ["sqlite", "SQLite"], ["html", "HTML report"]];
/** At most this many failures are listed. */
const FAILURES = 20;

export class Data {
  /** `project` is the project's name. */
  constructor(container, { project, messages }) {
    this.container = container;
    this.project = project;
    this.messages = messages;
    this.pages = [];
    this.refused = [];
  }

  async show() {
    fill(this.container, h("p", { class: "waiting", role: "status" }, "Collecting the records of all pages…"));
    this.state = await api.project(this.project);
    this.progress = h("div", { class: "progress", role: "status" });
    this.summary = h("div", {});
    this.failures = h("div", {});
    this.code = h("div", {});
    this.table = new ResultTable(h("div", {}));
    fill(
      this.container,
      h(
        "div",
        { class: "data" },
        h("section", { class: "card" }, h("h2", {}, "Get the data"), this.summary, this.#downloads()),
        h("section", { class: "card results" }, this.progress, this.failures, this.table.container),
        h("div", { class: "pair" }, this.#running(), this.#using()),
      ),
    );
    await this.#collect();
  }

  /** Files that were dropped on the window. */
  async add(files) {
    await this.#run([...files]);
  }

  #downloads() {
    const button = (format, name, title) =>
      h("button", { type: "button", class: format === "csv" ? "primary big" : "big", "data-key": `format ${format}`, title, onclick: () => this.#save(() => api.dataFile(this.project, format)) }, name);
    return h(
      "p",
      { class: "formats" },
      FORMATS.map(([format, name, title]) => button(format, name, title)),
      h("details", {}, h("summary", {}, "More formats"), h("span", { class: "formats" }, FURTHER.map(([format, name]) => button(format, name, name)))),
    );
  }

  #running() {
    const files = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "More pages", onchange: () => this.#run([...files.files]) });
    const folder = h("input", { type: "file", webkitdirectory: true, hidden: true, "aria-label": "A folder of pages", onchange: () => this.#run(pagesOf(folder.files)) });
    this.clearing = h("button", { type: "button", hidden: true, onclick: () => this.#clear() }, "Remove these pages");
    return h(
      "section",
      {
        class: "card",
        ondrop: async (event) => {
          event.preventDefault();
          event.stopPropagation();
          document.querySelector("#drop").hidden = true;
          this.#run((await filesOf(event.dataTransfer)).files);
        },
      },
      h("h2", {}, "Run on more pages"),
      h("p", {}, "Drop more pages of the same site, or a whole folder, anywhere on this screen. Their records are added to the table and to the files."),
      h(
        "p",
        { class: "line" },
        h("button", { type: "button", onclick: () => files.click() }, "Choose pages"),
        h("button", { type: "button", onclick: () => folder.click() }, "Choose a folder"),
        this.clearing,
        files,
        folder,
      ),
      h("p", { class: "quiet" }, "For more than 5,000 pages, use the command line: it has no limit and can be repeated every day."),
    );
  }

  #using() {
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "Use it in your own code"),
      h("p", {}, "Download the wrapper, then copy the code."),
      h("p", { class: "line" }, h("button", { type: "button", onclick: () => this.#save(() => api.wrapperFile(this.project)) }, "Download the wrapper")),
      this.code,
      h("p", { class: "quiet" }, h("a", { href: `#${encodeURIComponent(this.project)}/~publish` }, "Publish"), " it as a version to use it over HTTP, with the accepted pages as tests."),
    );
  }

  /** Ask for the records, some pages at a time, and show them as they arrive. */
  async #collect() {
    this.pages = [];
    let total = 1;
    try {
      while (this.pages.length < total) {
        const part = await api.data(this.project, this.pages.length);
        total = part.total;
        if (!part.pages.length) break;
        this.pages.push(...part.pages);
        this.#advance("Extracting", this.pages.length, total);
        this.#draw();
      }
    } catch (error) {
      this.messages.show(`The records can't be shown: ${error.message}.`, "error");
    }
    fill(this.progress);
    this.#draw();
    await this.#showCode();
  }

  #draw() {
    const { pages, state } = this;
    const records = pages.reduce((sum, { rows }) => sum + rows.length, 0);
    const own = pages.filter(({ more }) => !more);
    const unseen = own.filter(({ accepted, rows }) => !accepted && rows.length);
    const more = pages.filter((page) => page.more);
    this.clearing.hidden = !more.length;
    fill(
      this.summary,
      h("p", { class: "sum" }, h("b", {}, counted(records, "record")), ` on ${counted(pages.length, "page")}${more.length ? `, ${more.length} of them added here` : ""}.`),
      records === 0 && h("p", { class: "warning" }, "There is nothing to get yet. ", h("a", { href: `#${encodeURIComponent(this.project)}` }, "Mark a record or take a suggested table"), " first."),
      unseen.length > 0 &&
        h("p", { class: "quiet" }, `${counted(unseen.reduce((sum, { rows }) => sum + rows.length, 0), "record")} on ${counted(unseen.length, "page")} are proposals that nobody has accepted yet. The files have them, too. `, h("a", { href: `#${encodeURIComponent(this.project)}/${encodeURIComponent(unseen[0].page)}` }, "Check them")),
      unseen.length === 0 && own.length > 0 && records > 0 && h("p", { class: "good" }, "You have accepted every page of the project."),
    );
    this.#drawFailures();
    this.table.show({
      fields: state.fields,
      types: state.types,
      rows: pages.flatMap(({ page, rows, accepted }) => rows.map(({ values, wrong }) => ({ page, accepted, values, wrong }))),
    });
  }

  #drawFailures() {
    const failed = this.pages.filter(({ failure, rows }) => failure || !rows.length).map(({ page, failure }) => `${page}: ${failure ?? "no records"}`);
    const lines = [...failed, ...this.refused];
    fill(
      this.failures,
      lines.length > 0 &&
        h(
          "details",
          { class: "failed" },
          h("summary", {}, `${counted(lines.length, "page")} without data`),
          h("ul", {}, lines.slice(0, FAILURES).map((line) => h("li", {}, line))),
          lines.length > FAILURES && h("p", {}, `and ${lines.length - FAILURES} more`),
        ),
    );
  }

  /** Send more pages to the server, then extract from all. */
  async #run(files) {
    this.refused = [];
    for (const [number, file] of files.entries()) {
      this.#advance("Adding", number, files.length);
      try {
        await api.addMore(this.project, nameOf(file), file);
      } catch (error) {
        this.refused.push(error.message);
        if (error instanceof api.Unreachable) break;
      }
    }
    if (!files.length) this.messages.show("These files contain no pages.", "warning");
    await this.#collect();
  }

  async #clear() {
    try {
      await api.clearMore(this.project);
    } catch (error) {
      this.messages.show(error.message, "error");
    }
    await this.#collect();
  }

  #advance(verb, done, total) {
    if (total < 2) return;
    fill(this.progress, h("span", {}, `${verb} ${done.toLocaleString("en")} of ${counted(total, "page")}…`), h("progress", { max: total, value: done, "aria-label": verb }));
  }

  async #showCode() {
    let code;
    try {
      code = await api.code(this.project);
    } catch {
      fill(this.code, h("p", { class: "quiet" }, "There is no wrapper yet."));
      return;
    }
    fill(
      this.code,
      Object.entries(code).map(([kind, text]) =>
        h(
          "details",
          { open: kind === "command line" },
          h("summary", {}, kind[0].toUpperCase() + kind.slice(1)),
          h("pre", { tabIndex: 0 }, text),
          h("button", { type: "button", onclick: () => this.#copy(text) }, "Copy"),
        ),
      ),
    );
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.messages.show("Copied.");
    } catch {
      this.messages.show("The browser does not allow copying. Select the text instead.", "warning");
    }
  }

  /** Let the browser save a file that the server makes. */
  async #save(request) {
    try {
      const { name, content } = await request();
      const url = URL.createObjectURL(content);
      h("a", { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it after the click
      this.messages.show(`${name} is saved where your browser puts downloads.`);
    } catch (error) {
      this.messages.show(`This failed: ${error.message}.`, "error");
    }
  }
}

/** A file's name with the folders below the chosen one: pages of different folders may have the same name. */
function nameOf(file) {
  return file.webkitRelativePath.split("/").slice(1).join("-") || file.name;
}
