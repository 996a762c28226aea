/** The main screen: the pages of a project, the marks on them, and what is learned from the marks. */
import * as api from "./api.js";
import { drawBar, drawData, drawSaved, drawSelection } from "./bars.js";
import { run } from "./commands.js";
import { afterPaint, counted } from "./dom.js";
import { Edits } from "./edits.js";
import { Fields } from "./fields.js";
import { Finder } from "./finder.js";
import { takesKeys, commandOf } from "./keys.js";
import { Learner } from "./learner.js";
import { Listing } from "./listing.js";
import { stepped } from "./moves.js";
import { Pages } from "./pages.js";
import { PageView } from "./page-view.js";
import { paintedMarks } from "./painting.js";
import { Panel } from "./panel.js";
import { Pointer } from "./pointer.js";
import { Readings } from "./readings.js";
import { Recognizing } from "./recognizing.js";
import { spansOf } from "./records.js";
import { Session } from "./session.js";
import { SourceView } from "./source-view.js";
import { Suggestions } from "./suggestions.js";
import { RecordTable } from "./table.js";
import { Tables } from "./tables.js";
import { Texts } from "./texts.js";
import { showWorking } from "./working.js";

/** Below this width in pixels there is no room for the source beside the panel. */
const WIDE = 1500;

export class Desk {
  /**
   * @param {Object<string, HTMLElement>} parts  the elements of the page by their ids
   * @param {{settings, messages, addPages(), getData(), moved(page), dragged(event)}} context
   */
  constructor(parts, context) {
    this.parts = parts;
    this.messages = context.messages;
    this.context = context;
    this.session = null;
    this.edits = new Edits(this);
    this.recognizing = new Recognizing(parts.recognized, this);
    this.fields = new Fields(parts.fields, {
      change: (fields, renamed) => this.edits.act({ do: "fields", fields, renamed }),
      mark: (field) => (this.selection ? this.mark(field) : this.pointer.choose(field)),
      recognize: (field, name) => this.recognizing.choose(field, name),
    });
    this.pages = new Pages(parts.pages, {
      open: (page) => this.open(page),
      remove: (page) => this.edits.act({ do: "remove page", page }),
      add: () => context.addPages(),
    });
    this.table = new RecordTable(parts.table, {
      select: (cell) => this.select(cell, { focus: true }),
      edit: (cell, text) => this.edits.correct(cell, text),
      drop: (cell) => this.edits.dropRecord(cell),
      setType: (field, type) => this.edits.act({ do: "types", types: { ...this.state.types, [field]: type } }),
    });
    this.panel = new Panel(
      parts.panel,
      {
        choose: (name) => this.edits.act({ do: "class", class: name }),
        open: (page, record) => this.#openRecord(page, record),
        act: (action) => this.edits.act(action),
        showDelimiters: (on) => this.#showDelimiters(on),
      },
      context.settings.classes,
    );
    this.finder = new Finder(parts.finder, {
      source: () => this.texts.get(this.page),
      isShown: (span) => this.view.isShown(...span),
      show: (span) => this.#showSought(span),
      leave: (span) => this.#selectSought(span),
    });
    this.suggestions = new Suggestions(parts.suggestions, {
      use: (table) => (this.pointer.hover(null), this.edits.useTable(table)),
      hover: (number) => this.pointer.hover(number),
    });
    this.pointer = new Pointer(parts.pointer, this);
    this.view = this.#makeView(PageView, parts.page);
    this.source = this.#makeView(SourceView, parts.source);
    this.#listen();
  }

  /** Open a project. */
  start(state, page) {
    this.stop();
    this.session = new Session(state);
    this.learner = new Learner(this.session, () => this.page);
    this.listing = new Listing(this.session, this.learner);
    this.texts = new Texts(state.name);
    this.readings = new Readings(state.name);
    this.tables = new Tables(state.name);
    this.recognizing.reset();
    Object.assign(this, { page: null, data: null, cursor: null, selection: null, sought: null, revealing: null, delimiters: false });
    this.session.addEventListener("trouble", ({ detail }) => this.messages.show(detail.message, detail.kind));
    for (const changing of [this.session, this.learner, this.texts, this.readings, this.tables]) changing.addEventListener("change", () => this.draw());
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
    this.pointer.reset();
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
      this.data = view.data;
      this.draw();
      this.#reveal();
      await this.recognizing.run();
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

  /** Move the cursor by a step; false if there is no cell to go to. */
  step(step) {
    const cell = stepped(this.listing.listed(this.page), this.cursor, this.state.fields, step);
    if (!cell) return false;
    this.select(cell, { focus: true });
    return true;
  }

  /** The view that has a selection. A key may come before it was reported: a view reports once per frame. */
  get #selecting() {
    return this.selection?.view ?? [this.view, this.source].find((candidate) => candidate.selection());
  }

  /** The name of a new field for what is selected or pointed at; null without either. */
  newField() {
    const selected = this.#selecting?.selection();
    const option = selected ? { span: [selected.start, selected.end] } : this.pointer.option;
    return option && this.edits.newField(option);
  }

  /** Mark the selection as a value of a field. */
  mark(field, { exact = false, add = false } = {}) {
    const view = this.#selecting;
    const selected = view?.selection({ exact });
    if (!selected) {
      if (!this.pointer.pick(this.pointer.target, field)) this.pointer.choose(field);
      return;
    }
    view.clearSelection();
    this.selection = null;
    this.#drawSelection(); // the mark itself may have to wait for an undo
    this.edits.mark(field, [selected.start, selected.end], { add });
  }

  /** The rows of a page. */
  rows(page) {
    return this.listing.rows(page);
  }

  /** The row of a cell. */
  rowAt({ page, at }) {
    return this.rows(page).find((row) => row.start === at);
  }

  /** Edit the value at the cursor in the table. */
  edit() {
    this.#drawAround(); // the key before may have moved the cursor, and the table is drawn later
    this.table.edit();
  }

  /** Leave what the focus is in, for the page. */
  leave() {
    for (const view of [this.view, this.source]) view.clearSelection(); // a view reports its selection once per frame: it may be newer
    this.view.focus();
  }

  /** Run the command of a key, unless the focused element needs the key itself. */
  key(event, { framed = false } = {}) {
    if (!this.session || document.querySelector("dialog[open]")) return;
    if (!framed && takesKeys(event.target, event.key)) {
      if (event.key === "Escape") this.view.focus();
      return;
    }
    const command = commandOf(event);
    const how = { inTable: !framed && this.table.focused, backwards: event.shiftKey };
    if (command && run(this, command, how)) event.preventDefault();
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
    const { state, parts, recognizing } = this;
    if (this.page && !state.pages.includes(this.page)) this.page = null;
    if (!this.page && state.pages.length) this.open(state.pages[0]);
    parts.page.setAttribute("aria-busy", String(!this.ready));
    if (this.#isBehind()) parts.table.setAttribute("aria-busy", "true");
    this.fields.show(state.fields, { recognizers: this.context.settings.recognizers, chosen: recognizing.chosen, next: this.pointer.field }); // at once, since the person may be typing there
    this.cursor = this.listing.kept(this.cursor, this.page);
    this.#drawSelection();
    drawSaved(parts, this);
    recognizing.draw();
    this.pointer.draw();
    this.paint();
  }

  #drawAround() {
    const { state, learner, parts, page } = this;
    parts.empty.hidden = state.pages.length > 0;
    parts["data-button"].hidden = !this.data?.tree;
    this.pages.show(state.pages.map((name) => this.listing.summary(name)), page);
    showWorking(parts.working, learner, parts.panel.hidden ? () => this.togglePanel() : null);
    this.panel.show({ state, learner, marked: Object.values(state.labels).some(({ records }) => records.length) });
    drawBar(parts, { page, pages: state.pages, rows: page ? this.rows(page) : [], complete: Boolean(state.labels[page]?.complete) });
    this.#drawTable();
    drawData(parts, { state, rows: state.pages.some((name) => this.rows(name).length) });
    this.#drawSuggestions();
    parts.table.setAttribute("aria-busy", String(this.#isBehind()));
  }

  /** Whether the proposals are older than the marks. */
  #isBehind() {
    return !this.learner.fresh && !this.learner.failure && !this.learner.stopped;
  }

  #drawSelection() {
    this.pointer.draw(); // a selection takes its place
    drawSelection(this.parts, { selection: this.selection, fields: this.state.fields, added: this.selection && this.newField(), mark: (field) => this.mark(field) });
  }

  #drawTable() {
    const { state, parts } = this;
    const { scope } = this.listing;
    const rows = this.listing.listed(this.page);
    this.table.show(rows, {
      fields: state.fields,
      types: state.types,
      suggested: this.learner.proposals?.explanation?.types ?? {},
      typeNames: this.context.settings.types,
      cursor: this.cursor,
      named: scope === "all",
      textOf: (page) => this.texts.get(page),
      readings: this.readings,
      empty: this.#whyEmpty(),
    });
    for (const choice of ["page", "all"]) parts[`scope-${choice}`].setAttribute("aria-selected", String(scope === choice));
    parts.counted.textContent = rows.length ? counted(rows.length, "record") : "";
    if (this.revealing) this.table.reveal();
    if (this.revealing?.focus && !this.table.editing) this.table.focus();
    this.revealing = null;
  }

  #whyEmpty() {
    if (!this.state.fields.length) return "Name what you want to extract: add fields on the left, for example title and price.";
    if (this.learner.proposals?.wrapper) return "No records were found here. Click a value to mark one; if this page has none, accept it as it is.";
    return "Click a value on the page, or select text and press a field's key: the records appear here.";
  }

  /** Suggest tables until something is marked or chosen. */
  #drawSuggestions() {
    const { state, tables, parts, learner } = this;
    tables.search(state.pages);
    const isFresh = !learner.proposals?.wrapper && !Object.values(state.labels).some(({ records, complete }) => records.length || complete);
    const mayWait = !state.fields.length; // without fields nothing can be proposed: nobody waits for an answer
    const shown = isFresh && (mayWait || !this.#isBehind()) && !learner.proposals?.conflict && state.pages.length > 0;
    this.suggestions.show({ shown, busy: tables.busy, tables: tables.list, data: this.ready ? this.data : null });
    parts.table.hidden = shown;
    if (this.page) tables.on(this.page);
  }

  /** Show all marks on the page and, if the source is shown, in the source. */
  paint() {
    if (!this.session || !this.ready || !this.page) return;
    const marks = paintedMarks(this);
    const views = this.parts.source.hidden ? [this.view] : [this.view, this.source];
    for (const view of views) view.setMarks(marks);
  }

  #openRecord(page, number) {
    const start = this.rows(page).find(({ index }) => index === number)?.start;
    if (start !== undefined) this.select({ page, at: start, field: null }, { focus: true });
  }

  #reveal() {
    if (!this.cursor || this.cursor.page !== this.page || !this.ready) return;
    const row = this.rowAt(this.cursor);
    const value = row?.record[this.cursor.field] ?? Object.values(row?.record ?? {}).find(Boolean);
    const [span] = spansOf(value);
    if (!span) return;
    this.view.reveal(...span);
    if (!this.parts.source.hidden) this.source.reveal(...span);
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
    if (parts.source.hidden && this.panelGaveWay && parts.panel.hidden) this.togglePanel();
    this.panelGaveWay = !parts.source.hidden && innerWidth < WIDE && !parts.panel.hidden;
    if (!parts.source.hidden) {
      if (this.panelGaveWay) this.togglePanel();
      this.source.scrollToOffset(this.view.topOffset());
      this.paint();
    }
  }

  /** Go to the values in the page's data. */
  showData() {
    if (!this.data?.tree) return;
    this.view.showData();
    this.view.focus();
  }

  #showDelimiters(on) {
    this.delimiters = on;
    if (on && this.parts.source.hidden) this.toggleSource();
    this.paint();
  }

  togglePanel() {
    const { parts } = this;
    parts.panel.hidden = !parts.panel.hidden;
    parts["panel-button"].setAttribute("aria-pressed", String(!parts.panel.hidden));
    this.draw();
  }

  setScope(scope) {
    this.listing.scope = scope;
    this.draw();
  }

  /** Show the text that the finder is at. It is selected only when the finder closes: selecting takes the focus. */
  #showSought(span) {
    this.sought = span;
    this.paint();
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
      onPoint: (target) => this.session && this.pointer.point(target),
      onLeave: () => this.pointer.leave(),
      onPick: (target) => target && this.session && this.ready && this.pointer.pick(target),
      onRepeat: () => this.pointer.repeat(),
      onKey: (event) => this.key(event, { framed: true }),
      onDrag: (event) => this.context.dragged(event),
      onScroll: (offset) => {
        this.pointer.point(null);
        const opposite = view === this.view ? this.source : this.view;
        if (!this.parts.source.hidden) opposite.scrollToOffset(offset);
      },
    });
    return view;
  }

  #clickMark([kind, at, field]) {
    if (kind === "cell") this.select({ page: this.page, at, field });
    else if (kind === "recognized") this.recognizing.acceptAt(at, field);
  }

  #listen() {
    const { parts } = this;
    const clicks = {
      accept: () => (this.state.labels[this.page]?.complete ? this.edits.reopen() : this.edits.accept()),
      undo: () => this.edits.history("undo"),
      redo: () => this.edits.history("redo"),
      "source-button": () => this.toggleSource(),
      "panel-button": () => this.togglePanel(),
      "find-button": () => this.finder.open(),
      "data-button": () => this.showData(),
      "next-page": () => this.turn(1),
      "previous-page": () => this.turn(-1),
      "scope-page": () => this.setScope("page"),
      "scope-all": () => this.setScope("all"),
      "get-data": () => this.context.getData(),
    };
    for (const [id, action] of Object.entries(clicks)) parts[id].addEventListener("click", action);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => this.pointer.point(null)); // what it outlines has moved
    window.addEventListener("focus", () => this.session?.refresh().catch(() => null)); // the next change reports that the server is gone
  }
}
