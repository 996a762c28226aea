/** The list of papers: search, facets, sorting, selection and export. */
import { counted, fill, h, stateOf } from "../../studio/static/dom.js";
import { takesKeys } from "../../studio/static/keys.js";
import * as api from "./api.js";

/** Papers of a page of the list. */
const PAGE = 100;
/** How long typing must pause before a search starts, in milliseconds. */
const PAUSE = 150;
/** The least time between two looks at the list while papers are being read, in milliseconds. */
const REFRESH = 2000;

const COLUMNS = [
  ["title", "Title"],
  ["authors", "Authors"],
  ["year", "Year"],
  ["venue", "Venue"],
  ["state", "State"],
];
const FACETS = [
  ["state", "State"],
  ["year", "Year"],
  ["author", "Author"],
  ["venue", "Venue"],
  ["language", "Language"],
  ["tag", "Tag"],
];
const FORMATS = [
  ["bibtex", "BibTeX"],
  ["ris", "RIS"],
  ["csl", "CSL-JSON"],
  ["csv", "CSV"],
  ["json", "JSON"],
  ["tei", "TEI"],
  ["markdown", "Markdown"],
];
const STATES = { waiting: "waiting", ready: "ready", failed: "can't be read" };
/** Values of a facet that are shown at first. */
const VALUES = 8;
const VALUES_KEY = "rowen-library";

export class List {
  /** @param {{messages, choose(kind), sample()}} actions */
  constructor(container, { messages, choose }) {
    this.container = container;
    this.messages = messages;
    this.choose = choose;
    this.chosen = { query: "", facets: {} };
    this.sort = null;
    this.grouped = true;
    this.selected = new Map(); // by id
    this.whole = false; // all papers of the selection, also those that are not shown
    this.items = [];
    this.open = new Set();
    Object.assign(this, this.#remembered());
    this.listen = (event) => this.press(event);
  }

  async show() {
    this.search = h("input", {
      type: "search",
      id: "query",
      value: this.chosen.query,
      placeholder: "Search titles, authors, abstracts, texts, references, notes",
      "aria-label": "Search",
      autocomplete: "off",
      maxLength: 1000,
      oninput: () => this.typed(),
    });
    this.total = h("p", { class: "quiet", role: "status" });
    this.tools = h("div", { class: "line tools" });
    this.facets = h("aside", { class: "facets", "aria-label": "Narrow down" });
    this.table = h("div", { class: "list" });
    fill(
      this.container,
      h("h1", { class: "hidden" }, "Library"),
      h(
        "div",
        { class: "line top" },
        this.search,
        h("button", { type: "button", class: "primary", onclick: () => this.choose("files") }, "Add papers…"),
        h("button", { type: "button", onclick: () => this.choose("folder") }, "Add a folder…"),
      ),
      h("div", { class: "columns" }, this.facets, h("section", { class: "results", "aria-label": "Papers" }, h("div", { class: "line" }, this.total, h("span", { class: "space" }), this.tools), this.table)),
    );
    document.addEventListener("keydown", this.listen);
    await this.load();
  }

  close() {
    document.removeEventListener("keydown", this.listen);
    clearTimeout(this.timer);
    clearTimeout(this.later);
  }

  /** Papers have changed on the server. */
  refresh() {
    const wait = (this.items.length ? REFRESH : REFRESH / 8) - (performance.now() - (this.loaded ?? -REFRESH));
    if (this.later) return;
    this.later = setTimeout(() => {
      this.later = null;
      if (!this.busy) this.load({ quietly: true }).catch(() => null); // the next change tries again
    }, Math.max(0, wait));
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.narrow({ query: this.search.value }), PAUSE);
  }

  /** Choose other papers. */
  narrow(change) {
    this.chosen = { ...this.chosen, ...change };
    this.selected.clear();
    this.whole = false;
    return this.attempt(this.load());
  }

  /** Load the first pages of the list, as many papers as are shown. */
  async load({ quietly = false } = {}) {
    const number = (this.number = (this.number ?? 0) + 1);
    this.busy = true;
    try {
      const limit = Math.min(500, quietly ? Math.max(PAGE, this.items.length) : PAGE);
      const [page, facets] = await Promise.all([
        api.papers(this.chosen, { sort: this.sort, grouped: this.grouped, limit }),
        api.facets(this.chosen),
      ]);
      if (number !== this.number) return; // another search has begun
      this.items = page.items;
      this.next = page.next;
      this.count = page.total;
      this.counts = facets;
      this.loaded = performance.now();
      this.#remember();
      this.draw();
    } finally {
      if (number === this.number) this.busy = false;
    }
  }

  async more() {
    if (!this.next || this.busy) return;
    this.busy = true;
    const { number } = this;
    try {
      const page = await api.papers(this.chosen, { sort: this.sort, grouped: this.grouped, limit: PAGE, cursor: this.next });
      if (number !== this.number) return;
      this.items.push(...page.items);
      this.next = page.next;
      this.body.append(...page.items.map((item) => this.row(item)));
      this.drawMore();
    } catch (error) {
      this.messages.show(`This failed: ${error.message}.`, "error");
    } finally {
      this.busy = false;
    }
  }

  draw() {
    const isNarrow = this.chosen.query || Object.values(this.chosen.facets).some((values) => values.length);
    this.total.textContent = this.count || isNarrow ? counted(this.count, this.grouped ? "work" : "paper") : "";
    this.drawTools();
    this.drawFacets();
    if (!this.items.length) {
      fill(this.table, isNarrow ? this.none() : this.empty());
      return;
    }
    const active = document.activeElement;
    const key = this.table.contains(active) ? active.dataset.key : null;
    this.body = h("tbody", {}, this.items.map((item) => this.row(item)));
    this.rest = h("div", { class: "more-rows" });
    const all = h("input", { type: "checkbox", "aria-label": "Select all papers shown", checked: this.items.every(({ id }) => this.isSelected(id)), onchange: () => this.selectShown(all.checked) });
    fill(
      this.table,
      h(
        "table",
        { class: "catalogue" },
        h("caption", { class: "hidden" }, "Papers"),
        h("thead", {}, h("tr", {}, h("th", { class: "check", scope: "col" }, all), COLUMNS.map(([name, title]) => this.heading(name, title)))),
        this.body,
      ),
      this.rest,
    );
    if (key) this.table.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    this.drawMore();
  }

  heading(name, title) {
    const [direction, mark] = this.sort === name ? ["ascending", " ↑"] : this.sort === `-${name}` ? ["descending", " ↓"] : ["none", ""];
    return h("th", { scope: "col", "aria-sort": direction, class: `of-${name}` }, h("button", { type: "button", class: "link", "data-key": `sort-${name}`, onclick: () => this.sortBy(name) }, `${title}${mark}`));
  }

  sortBy(name) {
    // Years begin with the newest, other columns with A.
    const steps = name === "year" ? ["-year", "year", null] : [name, `-${name}`, null];
    this.sort = steps[(steps.indexOf(this.sort) + 1) % steps.length];
    this.attempt(this.load());
  }

  row(item) {
    const check = h("input", { type: "checkbox", "aria-label": `Select ${item.title ?? item.name}`, "data-key": `check-${item.id}`, checked: this.isSelected(item.id), onchange: () => this.select(item.id, check.checked) });
    const authors = item.authors.length > 3 ? `${item.authors.slice(0, 3).join(", ")} and ${item.authors.length - 3} more` : item.authors.join(", ");
    return h(
      "tr",
      { class: item.state },
      h("td", { class: "check" }, check),
      h(
        "th",
        { scope: "row", class: "title" },
        h("a", { href: `#${item.id}`, "data-key": item.id }, item.title ?? item.name ?? "untitled"),
        item.versions > 1 && h("span", { class: "badge" }, `${item.versions} versions`),
        item.cited > 0 && h("span", { class: "badge" }, `cited by ${item.cited}`),
        item.tags.map((tag) => h("span", { class: "badge tag" }, tag)),
        item.reason && h("span", { class: "reason" }, item.reason),
      ),
      h("td", { class: "of-authors" }, authors),
      h("td", { class: "of-year" }, item.year),
      h("td", { class: "of-venue" }, item.venue),
      h("td", { class: "of-state" }, h("span", { class: item.state === "failed" ? "failing" : "quiet" }, STATES[item.state])),
    );
  }

  drawMore() {
    fill(this.rest, this.next && h("button", { type: "button", "data-key": "more", onclick: () => this.more() }, `Show more (${(this.count - this.items.length).toLocaleString("en")} left)`));
    this.observer?.disconnect();
    if (!this.next) return;
    this.observer = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && this.more(), { rootMargin: "400px" });
    this.observer.observe(this.rest);
  }

  empty() {
    return stateOf(
      { sign: "⇣", title: "No papers yet", text: "Drop papers, folders or zip archives anywhere on this window. PDF, HTML, JATS, LaTeX and plain text are read on the server, in the background." },
      h("button", { type: "button", class: "primary", onclick: () => this.choose("files") }, "Choose files"),
      h("button", { type: "button", onclick: () => this.choose("folder") }, "Choose a folder"),
    );
  }

  none() {
    return stateOf({ title: "No paper matches", text: "Try fewer words, or remove a choice." }, h("button", { type: "button", "data-key": "reset", onclick: () => this.reset() }, "Show all papers"));
  }

  reset() {
    this.search.value = "";
    this.search.focus();
    return this.narrow({ query: "", facets: {} });
  }

  // Facets

  drawFacets() {
    fill(
      this.facets,
      h("label", { class: "choice" }, h("input", { type: "checkbox", checked: this.grouped, "data-key": "grouped", onchange: (event) => ((this.grouped = event.target.checked), this.attempt(this.load())) }), " One line per work"),
      FACETS.map(([name, title]) => this.facet(name, title)),
    );
  }

  facet(name, title) {
    const counts = this.counts[name];
    const chosen = this.chosen.facets[name] ?? [];
    if (counts.length < 2 && !chosen.length) return null;
    const isOpen = this.open.has(name);
    const shown = isOpen ? counts : counts.filter(({ value }, place) => place < VALUES || chosen.includes(value ?? ""));
    const id = `facet-${name}`;
    return h(
      "section",
      { "aria-labelledby": id },
      h("h2", { id }, title),
      h(
        "ul",
        { class: "plain" },
        shown.map(({ value, count }) => {
          const own = value ?? "";
          const box = h("input", { type: "checkbox", checked: chosen.includes(own), "data-key": `${name}:${own}`, onchange: () => this.toggle(name, own, box.checked) });
          return h("li", {}, h("label", {}, box, h("span", { class: "value" }, labelOf(name, value)), h("span", { class: "figure" }, count.toLocaleString("en"))));
        }),
      ),
      counts.length > VALUES &&
        h("button", { type: "button", class: "link", "data-key": `all-${name}`, onclick: () => (isOpen ? this.open.delete(name) : this.open.add(name), this.drawFacets()) }, isOpen ? "Show fewer" : `Show ${counts.length - VALUES} more`),
    );
  }

  toggle(name, value, isChosen) {
    const others = (this.chosen.facets[name] ?? []).filter((own) => own !== value);
    this.narrow({ facets: { ...this.chosen.facets, [name]: isChosen ? [...others, value] : others } });
  }

  // Selection

  isSelected(id) {
    return this.whole || this.selected.has(id);
  }

  select(id, isSelected) {
    if (this.whole) {
      this.whole = false;
      for (const item of this.items) this.selected.set(item.id, true);
    }
    if (isSelected) this.selected.set(id, true);
    else this.selected.delete(id);
    this.drawTools();
  }

  selectShown(isSelected) {
    this.whole = false;
    this.selected.clear();
    if (isSelected) for (const { id } of this.items) this.selected.set(id, true);
    this.draw();
  }

  selectAll() {
    this.whole = true;
    this.selected.clear();
    this.draw();
  }

  /** What is selected: some papers, or all of the list. */
  selection() {
    return this.selected.size ? { papers: [...this.selected.keys()] } : { query: this.chosen.query, facets: this.chosen.facets };
  }

  drawTools() {
    if (!this.count) {
      fill(this.tools);
      return;
    }
    const some = this.selected.size;
    const format = h("select", { "aria-label": "Format", "data-key": "format", value: this.format }, FORMATS.map(([name, title]) => h("option", { value: name, selected: name === this.format }, title)));
    format.addEventListener("change", () => ((this.format = format.value), this.#remember()));
    fill(
      this.tools,
      some > 0 && h("span", { class: "quiet", role: "status" }, `${some.toLocaleString("en")} selected`),
      some > 0 && some < this.count && h("button", { type: "button", class: "link", "data-key": "select-all", onclick: () => this.selectAll() }, `Select all ${this.count.toLocaleString("en")}`),
      this.whole && h("span", { class: "quiet", role: "status" }, `All ${this.count.toLocaleString("en")} selected`),
      (some > 0 || this.whole) && h("button", { type: "button", "data-key": "tag", onclick: () => this.tag() }, "Tag…"),
      (some > 0 || this.whole) && h("button", { type: "button", "data-key": "again", onclick: () => this.readAgain() }, "Read again"),
      some > 0 && h("button", { type: "button", "data-key": "delete", onclick: () => this.remove() }, "Delete…"),
      format,
      h("button", { type: "button", "data-key": "export", onclick: () => this.export(false) }, some ? `Export ${some.toLocaleString("en")}` : "Export all"),
      h("button", { type: "button", "data-key": "zip", onclick: () => this.export(true), title: "One file per paper" }, "as zip"),
    );
  }

  async export(archive) {
    const result = await this.attempt(api.exported({ ...this.selection(), format: this.format ?? "bibtex", archive }));
    if (!result) return;
    const link = h("a", { href: URL.createObjectURL(result.content), download: result.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.messages.show(`Exported as ${result.name}.`);
  }

  tag() {
    const field = h("input", { type: "text", id: "new-tag", required: true, maxLength: 100, autocomplete: "off" });
    const dialog = h(
      "dialog",
      { "aria-labelledby": "tag-title", onclose: () => dialog.remove() },
      h(
        "form",
        { method: "dialog", onsubmit: (event) => (event.submitter.value ? this.tagAs(field.value) : null) },
        h("h2", { id: "tag-title" }, "Tag the selected papers"),
        h("p", {}, h("label", { for: "new-tag" }, "Tag"), " ", field),
        h("p", { class: "buttons" }, h("button", { class: "primary", value: "add" }, "Add the tag"), h("button", { value: "", formNoValidate: true }, "Cancel")),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  async tagAs(name) {
    const result = await this.attempt(api.tag(this.selection(), [name], []));
    if (result) this.messages.show(`${counted(result.papers, "paper")} tagged.`, "good");
    await this.attempt(this.load({ quietly: true }));
  }

  async readAgain() {
    const papers = this.selected.size ? [...this.selected.keys()] : null;
    if (!papers) {
      this.messages.show("Select the papers to read again one by one.", "warning");
      return;
    }
    const result = await this.attempt(api.retry(papers));
    if (result) this.messages.show(`${counted(result.papers, "paper")} will be read again. Corrections, tags and notes stay.`);
  }

  remove() {
    const ids = [...this.selected.keys()];
    const dialog = h(
      "dialog",
      { "aria-labelledby": "remove-title", onclose: () => dialog.remove() },
      h(
        "form",
        { method: "dialog", onsubmit: (event) => (event.submitter.value ? this.removeAll(ids) : null) },
        h("h2", { id: "remove-title" }, `Delete ${counted(ids.length, "paper")}?`),
        h("p", {}, "The files and everything that was said about them are deleted from the server. This can't be undone."),
        h("p", { class: "buttons" }, h("button", { value: "", autofocus: true }, "Cancel"), h("button", { value: "delete", class: "danger" }, "Delete")),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  async removeAll(ids) {
    for (const id of ids) if ((await this.attempt(api.remove(id).then(() => true))) === null) break;
    this.selected.clear();
    await this.attempt(this.load({ quietly: true }));
  }

  // Keys

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && event.target === this.search && this.search.value) {
      event.preventDefault();
      this.search.value = "";
      this.narrow({ query: "" });
      return;
    }
    if (event.key === "ArrowDown" && event.target === this.search) return this.go(event, 1);
    if (takesKeys(event.target, event.key)) return undefined;
    if (event.key === "/") {
      event.preventDefault();
      this.search.focus();
      this.search.select();
    } else if (event.key === "j" || event.key === "ArrowDown") this.go(event, 1);
    else if (event.key === "k" || event.key === "ArrowUp") this.go(event, -1);
    else if (event.key === "x") {
      const box = document.activeElement.closest?.("tr")?.querySelector("input[type=checkbox]");
      if (box) box.click();
    } else if (event.key === "*") this.selectAll();
    else if (event.key === "u") this.choose("files");
    else if (event.key === "e") this.export(false);
    return undefined;
  }

  /** Move to the next or previous paper. */
  go(event, step) {
    const links = [...this.table.querySelectorAll("th.title a")];
    const place = links.indexOf(document.activeElement.closest?.("tr")?.querySelector("th.title a"));
    const next = links[place < 0 ? 0 : place + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  async attempt(call) {
    try {
      return await call;
    } catch (error) {
      this.messages.show(`This failed: ${error.message}.`, "error");
      return null;
    }
  }

  /** What is looked at stays the same when somebody comes back from a paper. */
  #remember() {
    const { chosen, sort, grouped, format } = this;
    sessionStorage.setItem(VALUES_KEY, JSON.stringify({ chosen, sort, grouped, format }));
  }

  #remembered() {
    try {
      return JSON.parse(sessionStorage.getItem(VALUES_KEY)) ?? {};
    } catch { // damaged: begin anew
      return {};
    }
  }
}

function labelOf(name, value) {
  if (value === null) return name === "tag" ? "no tag" : "unknown";
  if (name === "state") return STATES[value] ?? value;
  if (name === "language") {
    try {
      return new Intl.DisplayNames(["en"], { type: "language" }).of(value);
    } catch { // not a language's code
      return value;
    }
  }
  return value;
}
