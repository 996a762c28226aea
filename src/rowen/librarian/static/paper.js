/** The page of a paper: what was found, what people say about it, and what it is connected with. */
import { fill, h, stateOf } from "../../studio/static/dom.js";
import * as api from "./api.js";
import { authorsIn, authorsOf, editor } from "./editing.js";

const FIELDS = [
  ["title", "Title"],
  ["authors", "Authors"],
  ["year", "Year"],
  ["venue", "Venue"],
  ["doi", "DOI"],
  ["language", "Language"],
  ["keywords", "Keywords"],
  ["abstract", "Abstract"],
];
const CITED = [
  ["title", "Title"],
  ["authors", "Authors"],
  ["container", "Journal, book or proceedings"],
  ["year", "Year"],
  ["volume", "Volume"],
  ["issue", "Issue"],
  ["pages", "Pages"],
  ["publisher", "Publisher"],
  ["doi", "DOI"],
  ["url", "URL"],
];
const EVENTS = {
  added: () => "Added",
  read: ({ version }) => `Read by Rowen ${version?.split("-")[0] ?? ""}`,
  failed: ({ reason }) => `Could not be read: ${reason}`,
  corrected: ({ field }) => `Corrected: ${field === "citation" ? "a reference" : field}`,
  restored: ({ field }) => `Correction taken back: ${field === "citation" ? "a reference" : field}`,
  tagged: ({ tag }) => `Tagged ${tag}`,
  untagged: ({ tag }) => `Tag ${tag} removed`,
  noted: () => "Note added",
  unnoted: () => "Note removed",
};

export class Paper {
  constructor(container, { id, messages }) {
    this.container = container;
    this.id = id;
    this.messages = messages;
    this.part = "pages";
    this.editing = null;
    this.typed = { tag: "", note: "" };
  }

  async show() {
    this.details = await api.paper(this.id);
    this.head = h("section", { class: "card head", "aria-labelledby": "paper-title" });
    this.said = h("section", { class: "card remarks", "aria-label": "Tags and notes" });
    this.tabs = h("div", { role: "tablist", "aria-label": "Parts of the paper", onkeydown: (event) => this.turn(event) });
    this.body = h("div", { id: "part", role: "tabpanel", class: "part" });
    fill(
      this.container,
      h("p", {}, h("a", { href: "#" }, "← Library")),
      h("div", { class: "paper-columns" }, h("div", { class: "main" }, this.head, this.tabs, this.body), this.said),
    );
    this.draw();
    this.drawPart();
  }

  close() {
    this.closed = true;
  }

  /** The paper may have been read again. */
  async refresh() {
    if (this.editing || !this.details) return;
    const details = await api.paper(this.id).catch(() => null);
    if (!details || this.closed || this.editing) return;
    const isOther = details.item.state !== this.details.item.state || details.version !== this.details.version;
    this.details = details;
    this.draw();
    if (isOther) this.drawPart();
  }

  draw() {
    const { item } = this.details;
    document.title = `${item.title ?? item.name} – Library – Rowen`;
    this.drawHead();
    this.drawSaid();
    this.drawTabs();
  }

  drawHead() {
    const { item, header, corrections } = this.details;
    const said = new Map(corrections.filter(({ field }) => field !== "citation").map((own) => [own.field, own]));
    fill(
      this.head,
      h("h1", { id: "paper-title" }, item.title ?? item.name ?? "untitled"),
      item.state === "waiting" && h("p", { class: "status busy", role: "status" }, "Waits to be read; this page shows it as soon as it is."),
      item.state === "failed" && h("p", { class: "line" }, h("span", { class: "failing" }, `It can't be read: ${item.reason}`), h("button", { type: "button", "data-key": "again", onclick: () => this.readAgain() }, "Try again")),
      h(
        "dl",
        { class: "facts" },
        FIELDS.map(([field, title]) => [
          h("dt", {}, title),
          h(
            "dd",
            {},
            this.editing === field ? this.form(field, title) : this.fact(field, title, header[field], said.get(field)),
          ),
        ]),
        h("dt", {}, "File"),
        h("dd", {}, h("button", { type: "button", class: "link", "data-key": "file", onclick: () => this.download() }, item.name || item.id)),
      ),
    );
  }

  fact(field, title, value, correction) {
    return [
      h("span", { class: "value" }, shown(field, value)),
      " ",
      h("button", { type: "button", class: "quiet", "data-key": `edit-${field}`, "aria-label": `Correct ${title}`, title: `Correct ${title}`, onclick: () => this.edit(field) }, "✎"),
      correction &&
        h(
          "span",
          { class: "corrected" },
          h("span", {}, `corrected; ${text(field, correction.extracted) ? `found: ${text(field, correction.extracted)}` : "nothing was found"} `),
          h("button", { type: "button", class: "link", "data-key": `undo-${field}`, onclick: () => this.change(api.restore(this.id, correction.number)) }, "Undo"),
        ),
    ];
  }

  edit(field) {
    this.editing = field;
    this.drawHead();
    this.head.querySelector("form input, form textarea")?.focus();
  }

  form(field, title) {
    const isLong = field === "abstract" || field === "authors";
    return editor({
      fields: [[field, title, text(field, this.details.header[field]), isLong]],
      hint: field === "authors" ? "One per line, the family name last; or Family, Given." : field === "keywords" ? "Separated by semicolons." : "",
      save: ([value]) => this.change(api.correct(this.id, field, read(field, value)), { closes: field }),
      cancel: () => this.stopEditing(`edit-${field}`),
    });
  }

  stopEditing(key) {
    this.editing = null;
    this.drawHead();
    if (this.part === "references") this.drawPart();
    this.container.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  /**
   * Show the paper after a change; false if that failed. An open editor and what is typed stay, but for what was sent.
   * @param {{closes: string, sent: [string, string]}} options the editor that it came from, or the box and its text
   */
  async change(call, { closes = null, sent = [] } = {}) {
    try {
      this.details = await call;
    } catch (error) {
      this.messages.show(`This failed: ${error.message}.`, "error");
      return false;
    }
    const [box, content] = sent;
    if (box && this.typed[box] === content) this.typed[box] = "";
    if (this.editing === closes) this.editing = null;
    if (this.editing) {
      this.drawSaid();
      this.drawTabs();
      return true;
    }
    this.draw();
    if (this.part !== "pages") this.drawPart();
    return true;
  }

  /** A box for a tag or a note, with what was typed into it before it was drawn again. */
  box(name, tag, options) {
    const input = h(tag, { ...options, value: this.typed[name], required: true });
    input.addEventListener("input", () => (this.typed[name] = input.value));
    return input;
  }

  drawSaid() {
    const { item, notes } = this.details;
    const tag = this.box("tag", "input", { type: "text", "aria-label": "New tag", "data-key": "new-tag", placeholder: "Tag", maxLength: 100 });
    const note = this.box("note", "textarea", { rows: 3, "aria-label": "New note", "data-key": "new-note", placeholder: "Note", maxLength: 20_000 });
    fill(
      this.said,
      h("h2", {}, "Tags"),
      h(
        "ul",
        { class: "tags" },
        item.tags.map((name) =>
          h("li", { class: "badge tag" }, name, h("button", { type: "button", class: "quiet", "data-key": `untag-${name}`, "aria-label": `Remove tag ${name}`, onclick: () => this.retag(api.removeTag(this.id, name)) }, "×")),
        ),
      ),
      h("form", { class: "line", onsubmit: (event) => (event.preventDefault(), this.retag(api.addTag(this.id, tag.value), ["tag", tag.value])) }, tag, h("button", {}, "Add")),
      h("h2", {}, "Notes"),
      h(
        "ul",
        { class: "notes" },
        notes.map(({ number, text: remark, made }) =>
          h(
            "li",
            {},
            h("p", {}, remark),
            h("p", { class: "quiet line" }, when(made), h("button", { type: "button", class: "quiet", "data-key": `unnote-${number}`, "aria-label": "Remove this note", onclick: () => this.change(api.removeNote(this.id, number)) }, "×")),
          ),
        ),
      ),
      h("form", { onsubmit: (event) => (event.preventDefault(), this.change(api.note(this.id, note.value), { sent: ["note", note.value] })) }, note, h("button", {}, "Add the note")),
    );
  }

  async retag(call, sent) {
    await this.change(call.then(() => api.paper(this.id)), { sent });
  }

  parts() {
    const { references, cited_by: citing, versions, sections, events } = this.details;
    return [
      ["pages", "Pages", null],
      ["text", "Text", sections.length],
      ["references", "References", references.length],
      ["citing", "Cited by", citing.length],
      ["versions", "Versions", versions.length],
      ["history", "History", events.length],
    ];
  }

  drawTabs() {
    fill(
      this.tabs,
      this.parts().map(([name, title, count]) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            "data-key": `tab-${name}`,
            "aria-controls": "part",
            "aria-selected": String(name === this.part),
            tabIndex: name === this.part ? 0 : -1,
            onclick: () => this.choosePart(name),
          },
          title,
          count === null ? null : h("span", { class: "figure" }, ` ${count.toLocaleString("en")}`),
        ),
      ),
    );
    this.body.setAttribute("aria-labelledby", `tab-${this.part}`);
  }

  choosePart(name) {
    this.part = name;
    this.drawTabs();
    this.drawPart();
  }

  /** Arrow keys change between the parts. */
  turn(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = this.parts().map(([name]) => name);
    this.choosePart(names[(names.indexOf(this.part) + step + names.length) % names.length]);
    this.tabs.querySelector("[aria-selected=true]").focus();
  }

  drawPart() {
    const parts = { pages: () => this.pages(), text: () => this.text(), references: () => this.references(), citing: () => this.citing(), versions: () => this.versions(), history: () => this.history() };
    fill(this.body, parts[this.part]());
  }

  pages() {
    if (this.details.item.state !== "ready") return stateOf({ title: "Not read yet", text: "Pages appear here when the paper was read." });
    const frame = h("iframe", { class: "pages", title: "The pages with what was found on them", sandbox: "allow-scripts" });
    frame.src = new URL(`studio/papers/${this.id}`, document.baseURI).href;
    return frame;
  }

  text() {
    const { sections } = this.details;
    if (!sections.length) return stateOf({ title: "No sections", text: "No text of a body was found in this paper." });
    return h("article", { class: "text" }, sections.map(({ heading, level, text: content }) => [heading && h(level > 1 ? "h3" : "h2", {}, heading), content.split(/\n{1,}/).map((part) => h("p", {}, part))]));
  }

  references() {
    const { references } = this.details;
    if (!references.length) return stateOf({ title: "No references", text: "No list of references was found in this paper." });
    return h("ol", { class: "references" }, references.map((reference, number) => h("li", {}, this.reference(reference, number))));
  }

  reference({ content, corrected, added, cited }, number) {
    const key = `reference-${number}`;
    if (this.editing === key) return this.referenceForm(content, key);
    const parsed = [content.authors.map(({ given, family }) => `${given} ${family}`.trim()).join(", "), content.year].filter(Boolean).join(", ");
    return [
      h("p", { class: "raw" }, content.raw),
      h(
        "p",
        { class: "parsed" },
        h("b", {}, content.title ?? "no title found"),
        [parsed, content.container].filter(Boolean).map((part) => ` · ${part}`),
      ),
      h(
        "p",
        { class: "line" },
        cited && h("a", { href: `#${cited.id}` }, "In this library"),
        content.doi && h("a", { href: `https://doi.org/${encodeURI(content.doi)}`, rel: "noreferrer", target: "_blank" }, content.doi),
        corrected && h("span", { class: "badge" }, added ? "by hand" : "corrected"),
        corrected && h("button", { type: "button", class: "link", "data-key": `undo-${key}`, onclick: () => this.undoReference(content.raw) }, "Undo"),
        h("button", { type: "button", class: "quiet", "data-key": key, "aria-label": `Correct reference ${number + 1}`, onclick: () => this.editReference(key) }, "✎ Correct"),
      ),
    ];
  }

  editReference(key) {
    this.editing = key;
    this.drawPart();
    this.body.querySelector("form input")?.focus();
  }

  referenceForm(content, key) {
    return editor({
      fields: CITED.map(([field, title]) => [field, title, text(field, content[field]), false]),
      hint: content.raw,
      save: (values) => {
        const changed = CITED.map(([field], place) => [field, values[place]]).filter(([field, value]) => value !== text(field, content[field]));
        if (!changed.length) return this.stopEditing(key);
        return this.change(api.correct(this.id, "citation", Object.fromEntries(changed.map(([field, value]) => [field, read(field, value)])), content.raw), { closes: key });
      },
      cancel: () => this.stopEditing(key),
      more: h("button", { type: "button", onclick: () => this.change(api.correct(this.id, "citation", null, content.raw), { closes: key }) }, "This is no reference"),
    });
  }

  undoReference(raw) {
    const own = this.details.corrections.filter(({ field }) => field === "citation");
    const correction = own.find((one) => one.raw === raw) ?? own[0];
    if (correction) this.change(api.restore(this.id, correction.number));
  }

  citing() {
    const { cited_by: citing } = this.details;
    if (!citing.length) return stateOf({ title: "Not cited here", text: "No paper of this library cites it." });
    return h("ul", { class: "linked" }, citing.map((item) => h("li", {}, link(item))));
  }

  versions() {
    const { versions } = this.details;
    if (!versions.length) return stateOf({ title: "One version", text: "No other paper of this library has nearly the same text, the same DOI, or the same title and an author." });
    const reasons = { text: "nearly the same text", doi: "the same DOI", title: "the same title and an author" };
    return h(
      "ul",
      { class: "linked" },
      versions.map(({ item, kinds, similarity }) => h("li", {}, link(item), h("span", { class: "quiet" }, ` ${item.name}: `, kinds.map((kind) => reasons[kind]).join(", ") || "through another version", similarity === null ? "" : `, ${Math.round(similarity * 100)}% alike`))),
    );
  }

  history() {
    const { events, corrections } = this.details;
    const removed = corrections.filter(({ field, value }) => field === "citation" && value === null);
    return [
      removed.length > 0 &&
        h("section", {}, h("h2", {}, "Removed from the references"), h("ul", { class: "linked" }, removed.map(({ number, raw }) => h("li", {}, raw, " ", h("button", { type: "button", class: "link", "data-key": `restore-${number}`, onclick: () => this.change(api.restore(this.id, number)) }, "Put back"))))),
      h("ol", { class: "history" }, events.toReversed().map(({ kind, detail, made }) => h("li", {}, h("span", { class: "quiet" }, when(made)), " ", EVENTS[kind]?.(detail) ?? kind))),
    ];
  }

  async readAgain() {
    try {
      await api.retry([this.id]);
      this.messages.show("It will be read again. Corrections, tags and notes stay.");
    } catch (error) {
      this.messages.show(`This failed: ${error.message}.`, "error");
    }
  }

  async download() {
    try {
      const { name, content } = await api.original(this.id, this.details.item.name);
      const anchor = h("a", { href: URL.createObjectURL(content), download: name });
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
    } catch (error) {
      this.messages.show(`This failed: ${error.message}.`, "error");
    }
  }
}

function link(item) {
  return h("span", {}, h("a", { href: `#${item.id}` }, item.title ?? item.name ?? "untitled"), item.year && ` (${item.year})`);
}

/** A field's value as a reader sees it. */
function shown(field, value) {
  if (value === null || value === undefined || value.length === 0) return h("span", { class: "quiet" }, "unknown");
  if (field === "doi") return h("a", { href: `https://doi.org/${encodeURI(value)}`, rel: "noreferrer", target: "_blank" }, value);
  if (field === "authors") return value.map(({ given, family }) => `${given} ${family}`.trim()).join(", ");
  if (field === "keywords") return value.join("; ");
  return value;
}

/** A field's value as a text to edit. */
function text(field, value) {
  if (value === null || value === undefined) return "";
  if (field === "authors") return authorsOf(value);
  return Array.isArray(value) ? value.join("; ") : String(value);
}

/** What somebody typed, as a field's value. */
function read(field, typed) {
  if (field === "authors") return authorsIn(typed);
  if (field === "keywords") return typed.split(";").map((part) => part.trim()).filter(Boolean);
  return typed.trim() || null;
}

function when(made) {
  return new Date(made).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
