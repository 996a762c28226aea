/** A box to try an extractor: paste or drop a page, see its records, and where they stand on it. */
import { recordTable } from "../../studio/static/differences.js";
import { counted, fill, h } from "../../studio/static/dom.js";
import * as api from "./api.js";

/** Of a longer page, only so many characters are shown around the records. */
const SHOWN = 60_000;
/** The mark that says that a text is UTF-8, whatever the page says of itself. */
const MARK = "\uFEFF";

export class TryBox {
  constructor(name, messages) {
    this.name = name;
    this.messages = messages;
    this.result = h("div", { "aria-live": "polite" });
    const field = h("textarea", { id: "try-text", rows: 4, placeholder: "Paste the HTML or the text of a page, or drop a file here", spellcheck: false });
    const picker = h("input", { type: "file", hidden: true, "aria-label": "Page", onchange: () => this.tryFile(picker.files[0]) });
    this.element = h(
      "section",
      {
        class: "card",
        "aria-labelledby": "try",
        ondragover: (event) => event.preventDefault(),
        ondrop: (event) => (event.preventDefault(), event.stopPropagation(), this.tryFile(event.dataTransfer.files[0])),
      },
      h("h2", { id: "try" }, "Try it"),
      h("label", { class: "hidden", for: "try-text" }, "Page"),
      field,
      h(
        "div",
        { class: "line" },
        h("button", { type: "button", class: "primary", onclick: () => this.tryText(field.value) }, "Extract"),
        h("button", { type: "button", onclick: () => picker.click() }, "Choose a file…"),
        h("span", { class: "quiet" }, "Nothing of it is kept."),
        picker,
      ),
      this.result,
    );
  }

  async tryFile(file) {
    if (!file) return;
    const bytes = await file.arrayBuffer();
    try {
      await this.tryText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await this.run(bytes, null); // a PDF, or another charset: the service reads it
    }
  }

  tryText(text) {
    return text.trim() ? this.run(MARK + text, text) : null;
  }

  /** Submit a page, get its records, and delete it again. */
  async run(body, text) {
    fill(this.result, h("p", { class: "quiet", role: "status" }, "Extracting…"));
    try {
      const { id } = await api.submit(new Blob([body]));
      try {
        this.show(await api.records(id, this.name), text);
      } finally {
        await api.deleteDocument(id);
      }
    } catch (error) {
      fill(this.result, h("p", { class: "warning" }, `${error.message}.`));
    }
  }

  show({ records, failures, warnings }, text) {
    fill(
      this.result,
      failures.map((failure) => h("p", { class: "warning" }, failure)),
      warnings.map(({ message }) => h("p", { class: "warning" }, message)),
      records.length ? recordTable(counted(records.length, "record"), records.map(({ values }) => values)) : h("p", {}, "No record was found on this page."),
      text !== null && records.length > 0 && h("details", { open: true }, h("summary", {}, "Where they stand"), marked(text, records)),
    );
  }
}

/** The page's source with the values marked. Places are counted in code points. */
function marked(text, records) {
  const points = Array.from(text);
  const spans = records.flatMap((record) => spansIn(record.spans)).sort((a, b) => a.start - b.start);
  const from = Math.max(0, (spans[0]?.start ?? 0) - 500);
  const parts = [];
  let at = from;
  for (const { start, end, field } of spans) {
    if (start < at || end > from + SHOWN) continue; // inside of another value, or beyond what is shown
    parts.push(points.slice(at, start).join(""), h("mark", { title: field }, points.slice(start, end).join("")));
    at = end;
  }
  const to = Math.min(points.length, from + SHOWN, at + 500);
  parts.push(points.slice(at, to).join(""));
  return h("pre", { class: "source", tabIndex: 0 }, from > 0 && "…", ...parts, to < points.length && "…");
}

/** All places of a record, also those of lists and of nested records. */
function spansIn(spans, field = "") {
  if (Array.isArray(spans) && spans.length === 2 && spans.every(Number.isInteger)) return [{ start: spans[0], end: spans[1], field }];
  if (Array.isArray(spans)) return spans.flatMap((own) => spansIn(own, field));
  if (spans && typeof spans === "object") return Object.entries(spans).flatMap(([name, own]) => spansIn(own, name));
  return [];
}
