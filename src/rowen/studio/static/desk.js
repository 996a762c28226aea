/** The main screen: the pages of a project, the marks on them, and what is learned from the marks. */
import * as api from "./api.js";
import { delimitersOf, marksOf } from "./cells.js";
import { afterPaint, counted, fill, h } from "./dom.js";
import { Fields, markButtons } from "./fields.js";
import { Finder } from "./finder.js";
import { takesKeys, commandOf } from "./keys.js";
import { Learner } from "./learner.js";
import { Pages } from "./pages.js";
import { PageView } from "./page-view.js";
import { Panel } from "./panel.js";
import { Recognized, unmarked } from "./recognized.js";
import { added, rowFor, rowsOf, spansOf } from "./records.js";
import { Session } from "./session.js";
import { Readings } from "./readings.js";
import { SourceView } from "./source-view.js";
import { RecordTable } from "./table.js";
import { Texts } from "./texts.js";

/** Below this width in pixels there is no room for the source beside the panel. */
const WIDE = 1500;

export class Desk {
  /**
   * @param {Object<string, HTMLElement>} parts  the elements of the page by their ids
   * @param {{settings, messages, addPages(), moved(page), dragged(event)}} context
   */
  constructor(parts, context) {
    this.parts = parts;
    this.messages = context.messages;
    this.context = context;
    this.session = null;
    this.fields = new Fields(parts.fields, {
      change: (fields, renamed) => this.#act({ do: "fields", fields, renamed }),
      mark: (field) => this.mark(field),
      recognize: (field, name) => this.#recognize(field, name),
    });
    this.pages = new Pages(parts.pages, {
      open: (page) => this.open(page),
      remove: (page) => this.#act({ do: "remove page", page }),
      add: () => context.addPages(),
    });
    this.table = new RecordTable(parts.table, {
      select: (cell) => this.select(cell, { focus: true }),
      edit: (cell, text) => this.#correct(cell, text),
      drop: (cell) => this.#dropRecord(cell),
    });
    this.panel = new Panel(
      parts.panel,
      {
        choose: (name) => this.#act({ do: "class", class: name }),
        open: (page, record) => this.#openRecord(page, record),
        act: (action) => this.#act(action),
        showDelimiters: (on) => this.#showDelimiters(on),
      },
      context.settings.classes,
    );
    this.recognized = new Recognized(parts.recognized, {
      accept: (items) => this.#acceptRecognized(items),
      drop: (item) => (this.dropped.add(item.id), this.draw()),
      stop: () => ((this.chosen = {}), this.draw()),
    });
    this.finder = new Finder(parts.finder, {
      source: () => this.texts.get(this.page),
      show: (span) => this.#showSought(span),
      leave: (span) => this.#selectSought(span),
    });
    this.view = this.#makeView(PageView, parts.page);
    this.source = this.#makeView(SourceView, parts.source);
    this.#listen();
  }

  /** Open a project. */
  start(state, page) {
    this.stop();
    this.session = new Session(state);
    this.learner = new Learner(this.session);
    this.texts = new Texts(state.name);
    this.readings = new Readings(state.name);
    Object.assign(this, { page: null, cursor: null, selection: null, sought: null, chosen: {}, dropped: new Set(), spans: {}, rowsByPage: new Map(), listed: null, revealing: null, scope: "page", delimiters: false });
    this.session.addEventListener("change", () => this.draw());
    this.session.addEventListener("trouble", ({ detail }) => this.messages.show(detail.message, detail.kind));
    this.learner.addEventListener("change", () => this.draw());
    this.texts.addEventListener("change", () => this.draw());
    this.readings.addEventListener("change", () => this.draw());
    this.open(state.pages.includes(page) ? page : state.pages[0]);
  }

  /** Close the project. */
  stop() {
    this.session?.close();
    this.session = null;
  }

  get state() {
    return this.session.state;
  }

  /** Show a page. */
  async open(page, { keepCursor = false } = {}) {
    if (!page || page === this.page) return;
    Object.assign(this, { page, selection: null });
    if (!keepCursor) this.cursor = null;
    this.ready = false;
    this.context.moved(page);
    this.draw();
    try {
      const [view, source] = await Promise.all([api.view(this.state.name, page), this.texts.load(page)]);
      if (this.page !== page) return;
      await Promise.all([this.view.show(view), this.source.show({ page, text: source.text })]);
      if (this.page !== page) return;
      this.ready = true;
      this.draw();
      this.#reveal();
      await this.#recognizeAll();
    } catch (error) {
      if (this.page === page) this.page = null;
      this.messages.show(`${page} can't be shown: ${error.message}.`, "error");
    }
  }

  /** Move the cursor to a cell, in the table and on the page. */
  async select(cell, { focus = false } = {}) {
    this.cursor = cell;
    if (cell.page !== this.page) await this.open(cell.page, { keepCursor: true });
    this.revealing = { focus: focus || Boolean(this.revealing?.focus) };
    this.draw();
    this.#reveal();
  }

  /** Mark the selection as a value of a field. */
  mark(field, { exact = false, add = false } = {}) {
    // A key may come before the view has reported the selection: it reports once per frame.
    const view = this.selection?.view ?? [this.view, this.source].find((candidate) => candidate.selection());
    const selected = view?.selection({ exact });
    if (!selected) {
      this.messages.show("Select text on the page first, then press the field's key.", "warning");
      return;
    }
    const span = [selected.start, selected.end];
    const rows = this.rows(this.page);
    const row = add ? rows.findLast(({ start }) => start <= span[0]) ?? null : rowFor(rows, field, span);
    const value = add && row ? added(row.record[field], span) : span;
    view.clearSelection();
    this.selection = null;
    this.cursor = { page: this.page, at: Math.min(row?.start ?? span[0], span[0]), field };
    this.revealing ??= { focus: false };
    this.#set(row, field, value, `mark ${field}`);
  }

  /** The rows of a page; the same array as long as they have not changed. */
  rows(page) {
    const { labels, fields } = this.state;
    const proposed = this.learner.proposals?.pages[page]?.records;
    const cached = this.rowsByPage.get(page);
    const label = labels[page];
    if (cached && cached.label === label && cached.proposed === proposed && cached.fields === fields) return cached.rows;
    const rows = rowsOf(label, proposed ?? [], fields);
    this.rowsByPage.set(page, { label, proposed, fields, rows });
    return rows;
  }

  /** Accept the page: all records that it shows become its label. */
  accept() {
    if (!this.page || !this.ready) return;
    const records = this.rows(this.page).map(({ record }) => record);
    const { page } = this;
    this.session.do({ want: "label", page, records, complete: true, told: `accept ${page}` });
    const next = this.#leastCertain();
    if (next) this.open(next);
    else this.messages.show("All pages are accepted.");
  }

  /** Undo accepting the page: it may have more records than those that are marked. */
  reopen() {
    const { page } = this;
    const label = this.state.labels[page];
    if (!label?.complete) return;
    this.session.do({ want: "label", page, records: label.records, complete: false, told: `reopen ${page}` });
  }

  /** Run the command of a key, unless the focused element needs the key itself. */
  key(event, { framed = false } = {}) {
    if (!this.session || document.querySelector("dialog[open]")) return;
    if (!framed && takesKeys(event.target, event.key)) {
      if (event.key === "Escape") this.view.focus();
      return;
    }
    const command = commandOf(event);
    if (!command || !this.#run(command, framed, event.shiftKey)) return;
    event.preventDefault();
  }

  /** Draw the state: the marks on the page first, so that they appear at once; the rest after the browser has painted. */
  draw() {
    if (!this.session || this.drawing) return;
    this.drawing = true;
    queueMicrotask(() => {
      this.drawing = false;
      if (!this.session) return;
      this.#drawPage();
      if (this.following) return;
      this.following = true;
      afterPaint(() => {
        this.following = false;
        if (this.session) this.#drawAround();
      });
    });
  }

  #drawPage() {
    const { state, parts } = this;
    if (this.page && !state.pages.includes(this.page)) this.page = null;
    if (!this.page && state.pages.length) this.open(state.pages[0]);
    parts.page.setAttribute("aria-busy", String(!this.ready));
    if (this.#isBehind()) parts.table.setAttribute("aria-busy", "true");
    this.fields.show(state.fields, { recognizers: this.context.settings.recognizers, chosen: this.chosen }); // at once, since the person may be typing there
    this.#keepCursor();
    this.#drawSelection();
    this.#drawSaved();
    this.#drawRecognized();
    this.#paint();
  }

  #drawAround() {
    const { state, learner, parts } = this;
    parts.empty.hidden = state.pages.length > 0;
    this.pages.show(state.pages.map((page) => this.#summary(page)), this.page);
    this.panel.show({ state, learner, marked: Object.values(state.labels).some(({ records }) => records.length) });
    this.#drawBar();
    this.#drawTable();
    parts.table.setAttribute("aria-busy", String(this.#isBehind()));
  }

  /** Whether the proposals are older than the marks. */
  #isBehind() {
    return !this.learner.fresh && !this.learner.failure;
  }

  #drawBar() {
    const { parts, page, state } = this;
    const number = state.pages.indexOf(page) + 1;
    const rows = page ? this.rows(page) : [];
    const complete = Boolean(state.labels[page]?.complete);
    parts.title.textContent = page ?? "";
    parts.place.textContent = number ? `${number} of ${state.pages.length}` : "";
    parts.accept.disabled = !page;
    parts.accept.classList.toggle("done", complete);
    parts.accept.title = complete ? "Undo accept (Shift+Enter)" : "Accept this page and go on (Enter)";
    fill(
      parts.accept,
      complete ? "Accepted" : `Accept ${rows.length ? counted(rows.length, "record") : "page"}`,
      " ",
      h("kbd", {}, "⏎"),
    );
  }

  #drawTable() {
    const { state, scope, parts } = this;
    const rows = this.#listed();
    this.table.show(rows, {
      fields: state.fields,
      cursor: this.cursor,
      named: scope === "all",
      textOf: (page) => this.texts.get(page),
      readings: this.readings,
      empty: state.fields.length
        ? "Select text on the page and press a field's key: the records appear here."
        : "Name what you want to extract: add fields on the left, for example title and price.",
    });
    for (const choice of ["page", "all"]) parts[`scope-${choice}`].setAttribute("aria-selected", String(scope === choice));
    parts.counted.textContent = rows.length ? counted(rows.length, "record") : "";
    if (this.revealing) this.table.reveal();
    if (this.revealing?.focus && !this.table.editing) this.table.focus();
    this.revealing = null;
  }

  /** The table's rows; the same array as long as they have not changed. */
  #listed() {
    const pages = this.scope === "all" ? this.state.pages : this.page ? [this.page] : [];
    const conflict = this.learner.proposals?.conflict;
    const parts = pages.map((page) => this.rows(page));
    const { listed } = this;
    const isSame = listed && listed.conflict === conflict && listed.parts.length === parts.length && parts.every((rows, at) => rows === listed.parts[at]);
    if (isSame) return listed.rows;
    const suspects = new Set((conflict?.marks ?? []).map(({ page, record }) => `${page}\n${record}`));
    const rows = pages.flatMap((page, at) =>
      parts[at].map((row) => ({ page, row, conflict: suspects.has(`${page}\n${row.index}`) })),
    );
    this.listed = { conflict, parts, rows };
    return rows;
  }

  /** If the cursor's record has changed, move the cursor to the record that is there now. */
  #keepCursor() {
    if (!this.cursor) return;
    const { page, at, field } = this.cursor;
    const rows = this.state.pages.includes(page) && (this.scope === "all" || page === this.page) ? this.rows(page) : [];
    if (rows.some(({ start }) => start === at)) return;
    const near = rows.findLast(({ start }) => start <= at) ?? rows[0];
    this.cursor = near ? { page, at: near.start, field } : null;
  }

  #drawSelection() {
    const { parts, selection, state } = this;
    parts.selection.hidden = !selection;
    if (!selection) return;
    fill(
      parts.selection,
      h("span", {}, "Mark as"),
      ...markButtons(state.fields, (field) => this.mark(field)),
      !state.fields.length && h("button", { type: "button", onclick: () => parts.fields.querySelector("#new-field").focus() }, "Name a field first"),
    );
  }

  #drawSaved() {
    const { parts, session, learner } = this;
    const { server, waiting, blocked } = session;
    parts.saved.textContent = blocked ? `${counted(waiting.length, "change")} not saved yet` : waiting.length ? "Saving…" : "Saved";
    parts.saved.classList.toggle("failing", Boolean(blocked));
    parts.undo.disabled = !server.undo && !waiting.length;
    parts.undo.title = server.undo ? `Undo: ${server.undo} (U)` : "Undo (U)";
    parts.redo.disabled = !server.redo;
    parts.redo.title = server.redo ? `Redo: ${server.redo} (Ctrl+Shift+Z)` : "Redo (Ctrl+Shift+Z)";
    const retry = h("button", { type: "button", onclick: () => session.retryNow() }, "Try now");
    const discard = h("button", { type: "button", onclick: () => session.discard() }, "Discard the change");
    if (blocked?.reason) this.messages.showBanner(`This can't be saved: ${blocked.reason}. The studio keeps the change and tries again.`, retry, discard);
    else if (blocked) this.messages.showBanner(`The server can't be reached. ${counted(waiting.length, "change")} kept in this window; they are sent when it is back.`, retry);
    else if (learner.gone) this.messages.showBanner("The server can't be reached. You can go on marking: this window keeps your changes.");
    else this.messages.showBanner(null);
  }

  #drawRecognized() {
    const { page, state } = this;
    const rows = page ? this.rows(page) : [];
    const source = page && this.texts.get(page);
    this.candidates = state.fields.flatMap((field, number) => {
      const spans = this.spans[page]?.[this.chosen[field]] ?? [];
      return unmarked(spans, rows, field)
        .map((span) => ({ id: JSON.stringify(["recognized", field, ...span]), field, span, color: number % 9, text: source ? this.readings.get(page, source, span) : "" }))
        .filter(({ id }) => !this.dropped.has(id));
    });
    this.candidates.sort((left, right) => left.span[0] - right.span[0]);
    this.recognized.show(this.candidates);
  }

  /** Show all marks on the page and, if the source is shown, in the source. */
  #paint() {
    if (!this.ready || !this.page) return;
    const marks = this.#marks();
    const views = this.parts.source.hidden ? [this.view] : [this.view, this.source];
    for (const view of views) view.setMarks(marks);
  }

  #marks() {
    const { state, cursor, page } = this;
    const { explanation, conflict } = this.learner.proposals ?? {};
    const source = this.texts.get(page);
    const delimiters = explanation?.delimiters ?? {};
    const rows = this.rows(page);
    const doubted = (conflict?.marks ?? []).filter((mark) => mark.page === page).map(({ record }) => record);
    const marks = marksOf(rows, state.fields, {
      cursor: cursor?.page === page ? cursor : null,
      bad: new Set(doubted.length ? rows.filter(({ index }) => doubted.includes(index)).map(({ start }) => start) : []),
      delimiters: this.delimiters && source ? (field, mark) => (delimiters[field] ? delimitersOf(source, delimiters[field], mark) : []) : null,
    });
    const extra = this.candidates.map(({ id, span: [start, end], color }) => ({
      id, start, end, color, kind: "recognized", current: id === this.recognized.current?.id,
    }));
    if (this.sought) {
      const [start, end] = this.sought;
      extra.push({ id: JSON.stringify(["sought"]), start, end, color: 8, kind: "mark", current: true });
    }
    return [...extra, ...marks];
  }

  /** What the list of pages shows about a page. */
  #summary(page) {
    const { proposals, judgement } = this.learner;
    const label = this.state.labels[page];
    const marks = proposals?.conflict?.marks ?? [];
    const judged = judgement?.pages[page];
    return {
      page,
      records: this.rows(page).length,
      complete: Boolean(label?.complete),
      failure: proposals?.pages[page]?.failure,
      conflict: marks.some((mark) => mark.page === page),
      certainty: judged?.certainty,
      reasons: judged?.reasons,
    };
  }

  #leastCertain() {
    const judged = this.learner.judgement?.pages ?? {};
    const unaccepted = this.state.pages.filter((page) => page !== this.page && !this.state.labels[page]?.complete);
    const certainty = (page) => judged[page]?.certainty ?? 1;
    return unaccepted.reduce((least, page) => (least === null || certainty(page) < certainty(least) ? page : least), null);
  }

  #act(action) {
    this.session.do({ want: "action", action });
  }

  #set(row, field, value, description) {
    this.session.do({ want: "set", page: this.page, anchor: row?.record ?? null, field, value, told: description });
  }

  #rowAt({ page, at }) {
    return this.rows(page).find((row) => row.start === at);
  }

  async #correct(cell, text) {
    await this.select(cell);
    const source = await this.texts.load(cell.page);
    const { spans: places, resembling } = await this.#find(cell.page, source, text);
    if (!places.length) {
      const hint = resembling ? ` Did you mean “${resembling}”?` : "";
      this.messages.show(`“${text}” was not found on ${cell.page}: a value must be part of the page.${hint}`, "warning");
      return;
    }
    const row = this.#rowAt(cell);
    if (!row) return; // it went while the text was looked for
    const old = spansOf(row.record[cell.field])[0]?.[0] ?? row.start;
    const near = places.reduce((best, span) => (Math.abs(span[0] - old) < Math.abs(best[0] - old) ? span : best));
    this.cursor = { ...cell, at: Math.min(near[0], startWithout(row, cell.field)) };
    this.#set(row, cell.field, near, `correct ${cell.field}`);
  }

  /** Where a text is on a page, as a reader sees it; without the server, where it is in the source. */
  async #find(page, source, text) {
    try {
      return await api.positions(this.state.name, page, text);
    } catch {
      return { spans: source.find(text), resembling: null };
    }
  }

  #dropRecord(cell) {
    const row = this.#rowAt(cell);
    if (!row) return;
    if (row.index >= 0) {
      this.session.do({ want: "drop", page: cell.page, anchor: row.record });
      return;
    }
    // A proposal has no mark to delete. Without it, the records that are left are all that the page has.
    const remaining = this.rows(cell.page).filter((candidate) => candidate !== row && candidate.start !== row.start);
    this.session.do({ want: "label", page: cell.page, records: remaining.map(({ record }) => record), complete: true, told: "delete record" });
  }

  #openRecord(page, number) {
    const start = this.rows(page).find(({ index }) => index === number)?.start;
    if (start !== undefined) this.select({ page, at: start, field: null }, { focus: true });
  }

  #reveal() {
    if (!this.cursor || this.cursor.page !== this.page || !this.ready) return;
    const row = this.#rowAt(this.cursor);
    const value = row?.record[this.cursor.field] ?? Object.values(row?.record ?? {}).find(Boolean);
    const [span] = spansOf(value);
    if (!span) return;
    this.view.reveal(...span);
    if (!this.parts.source.hidden) this.source.reveal(...span);
  }

  #run({ name, number, exact, add }, framed, backwards) {
    const { cursor } = this;
    const inTable = !framed && this.table.focused;
    switch (name) {
      case "mark":
        if (number >= this.state.fields.length) return false;
        this.mark(this.state.fields[number], { exact, add });
        return true;
      case "accept": this.accept(); return true;
      case "reopen": this.reopen(); return true;
      case "down": return this.#step(1, 0);
      case "up": return this.#step(-1, 0);
      case "arrowDown": return inTable && this.#step(1, 0);
      case "arrowUp": return inTable && this.#step(-1, 0);
      case "right": return inTable && this.#step(0, 1);
      case "left": return inTable && this.#step(0, -1);
      case "tab": return inTable && this.#step(0, backwards ? -1 : 1, { wrap: true });
      case "missing":
        if (cursor?.field) this.#setCell(null, `${cursor.field} is missing`);
        return true;
      case "remove": return this.#remove();
      case "drop":
        if (cursor) this.#dropRecord(cursor);
        return true;
      case "edit":
        this.#drawAround(); // the key before may have moved the cursor, and the table is drawn later
        this.table.edit();
        return true;
      case "undo": case "redo": this.history(name); return true;
      case "next": case "previous": this.turn(name === "next" ? 1 : -1); return true;
      case "source": this.toggleSource(); return true;
      case "panel": this.togglePanel(); return true;
      case "scope": this.setScope(this.scope === "all" ? "page" : "all"); return true;
      case "field": this.parts.fields.querySelector("#new-field").focus(); return true;
      case "open": this.context.addPages(); return true;
      case "help": this.parts.help.showModal(); return true;
      case "find": this.finder.open(); return true;
      case "acceptRecognized": this.recognized.accept(); return true;
      case "acceptAll": this.recognized.acceptAll(); return true;
      case "dropRecognized": this.recognized.drop(); return true;
      case "escape":
        this.selection?.view.clearSelection();
        this.view.focus();
        return true;
      default: return false;
    }
  }

  #step(down, right, { wrap = false } = {}) {
    const { cursor, state } = this;
    const shown = this.#listed();
    if (!shown.length) return false;
    const columns = [null, ...state.fields];
    if (!cursor) {
      this.select({ page: shown[0].page, at: shown[0].row.start, field: columns[1] ?? null }, { focus: true });
      return true;
    }
    let line = shown.findIndex(({ page, row }) => page === cursor.page && row.start === cursor.at);
    let column = columns.indexOf(cursor.field) + right;
    if (wrap && column === columns.length) [line, column] = [line + 1, 0];
    else if (wrap && column < 0) [line, column] = [line - 1, columns.length - 1];
    line += down;
    if (wrap && !shown[line]) return false; // Tab leaves the table at its end
    const { page, row } = shown[Math.max(0, Math.min(line, shown.length - 1))];
    this.select({ page, at: row.start, field: columns[Math.max(0, Math.min(column, columns.length - 1))] }, { focus: true });
    return true;
  }

  #setCell(value, description) {
    const row = this.#rowAt(this.cursor);
    if (!row) return;
    const { page, field } = this.cursor;
    this.session.do({ want: "set", page, anchor: row.record, field, value, told: description });
    this.cursor = { ...this.cursor, at: startWithout(row, field) };
  }

  #remove() {
    const { cursor } = this;
    if (!cursor) return false;
    const row = this.#rowAt(cursor);
    if (!row) return true;
    if (!cursor.field) this.#dropRecord(cursor);
    else if (row.kinds[cursor.field] === "mark") this.#setCell(undefined, `remove ${cursor.field}`);
    else if (row.record[cursor.field]) this.#setCell(null, `${cursor.field} is missing`);
    return true;
  }

  /** Undo or redo. */
  history(want) {
    const description = this.session.server[want];
    if (!description && !this.session.waiting.length) {
      this.messages.show(`There is nothing to ${want}.`, "warning");
      return;
    }
    this.session.do({ want });
  }

  /** Go forward or back by some pages; after the last page comes the first. */
  turn(by) {
    const { pages } = this.state;
    if (!pages.length) return;
    this.open(pages[(pages.indexOf(this.page) + by + pages.length) % pages.length]);
  }

  toggleSource() {
    const { parts } = this;
    parts.source.hidden = !parts.source.hidden;
    parts["source-button"].setAttribute("aria-pressed", String(!parts.source.hidden));
    if (!parts.source.hidden) {
      if (innerWidth < WIDE && !parts.panel.hidden) this.togglePanel();
      this.source.scrollToOffset(this.view.topOffset());
      this.#paint();
    }
  }

  #showDelimiters(on) {
    this.delimiters = on;
    if (on && this.parts.source.hidden) this.toggleSource();
    this.#paint();
  }

  togglePanel() {
    const { parts } = this;
    parts.panel.hidden = !parts.panel.hidden;
    parts["panel-button"].setAttribute("aria-pressed", String(!parts.panel.hidden));
  }

  setScope(scope) {
    this.scope = scope;
    this.draw();
  }

  async #recognize(field, name) {
    this.chosen = { ...this.chosen, [field]: name || undefined };
    await this.#recognizeAll();
    if (name && !this.candidates.some((candidate) => candidate.field === field)) {
      this.messages.show(`The recognizer ${name} finds nothing more on this page.`, "warning");
    }
  }

  async #recognizeAll() {
    const { page } = this;
    const spans = (this.spans[page] ??= {});
    for (const name of new Set(Object.values(this.chosen).filter(Boolean))) {
      if (spans[name]) continue;
      try {
        Object.assign(spans, await api.recognized(this.state.name, page, name));
      } catch (error) {
        this.messages.show(`The recognizer ${name} failed: ${error.message}.`, "error");
      }
    }
    this.#drawRecognized();
    this.draw();
  }

  /** Mark several recognized values in one step, so that one undo takes them all back. */
  #acceptRecognized(items) {
    const { page } = this;
    const label = this.state.labels[page];
    let rows = this.rows(page);
    const marked = new Map(rows.filter(({ index }) => index >= 0).map((row) => [row.start, row.record]));
    for (const { field, span } of items) {
      const row = rowFor(rows, field, span);
      const record = { ...(row?.record ?? {}), [field]: span };
      marked.delete(row?.start);
      marked.set(Math.min(row?.start ?? span[0], span[0]), record);
      const proposed = rows.filter(({ index, start }) => index < 0 && start !== row?.start).map((proposal) => proposal.record);
      rows = rowsOf({ records: inPageOrder(marked), complete: false }, proposed, this.state.fields);
    }
    const records = inPageOrder(marked);
    const description = items.length === 1 ? `accept ${items[0].field}` : `accept ${counted(items.length, "value")}`;
    this.session.do({ want: "label", page, records, complete: Boolean(label?.complete), told: description });
  }

  /** Show the text that the finder is at. It is selected only when the finder closes: selecting takes the focus. */
  #showSought(span) {
    this.sought = span;
    this.#paint();
    if (!span) return;
    const isShown = this.view.reveal(...span);
    if (!isShown && this.parts.source.hidden) this.toggleSource();
    if (!this.parts.source.hidden) this.source.reveal(...span);
  }

  #selectSought(span) {
    const view = span && !this.view.reveal(...span) ? this.source : this.view;
    this.#showSought(null);
    view.focus();
    if (span) view.select(...span);
  }

  #makeView(Kind, container) {
    const view = new Kind(container, {
      onSelect: (span) => {
        if (span) this.selection = { view };
        else if (this.selection?.view === view) this.selection = null;
        else return;
        if (this.session) this.#drawSelection();
      },
      onMarkClick: (id) => this.#clickMark(JSON.parse(id)),
      onKey: (event) => this.key(event, { framed: true }),
      onDrag: (event) => this.context.dragged(event),
      onScroll: (offset) => {
        const opposite = view === this.view ? this.source : this.view;
        if (!this.parts.source.hidden) opposite.scrollToOffset(offset);
      },
    });
    return view;
  }

  #clickMark([kind, at, field]) {
    if (kind === "cell") this.select({ page: this.page, at, field });
    else if (kind === "recognized") this.recognized.accept(this.candidates.find((candidate) => candidate.field === at && candidate.span[0] === field)?.id);
  }

  #listen() {
    const { parts } = this;
    const clicks = {
      accept: () => (this.state.labels[this.page]?.complete ? this.reopen() : this.accept()),
      undo: () => this.history("undo"),
      redo: () => this.history("redo"),
      "source-button": () => this.toggleSource(),
      "panel-button": () => this.togglePanel(),
      "find-button": () => this.finder.open(),
      "next-page": () => this.turn(1),
      "previous-page": () => this.turn(-1),
      "scope-page": () => this.setScope("page"),
      "scope-all": () => this.setScope("all"),
    };
    for (const [id, action] of Object.entries(clicks)) parts[id].addEventListener("click", action);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("focus", () => this.session?.refresh().catch(() => null)); // the next change reports that the server is gone
  }
}

/** The records of a map by their starts, in page order. */
function inPageOrder(recordsByStart) {
  return [...recordsByStart].sort(([left], [right]) => left - right).map(([, record]) => record);
}

/** Where a row starts without one of its fields; its own start if it has no other value. */
function startWithout(row, field) {
  const { [field]: _, ...remaining } = row.record;
  const starts = Object.values(remaining).flatMap((value) => spansOf(value).map(([start]) => start));
  return starts.length ? Math.min(...starts) : row.start;
}
