/** What a person changes on the desk: each method turns a gesture into an intent of the session. */
import * as api from "./api.js";
import { added, anchorOf, isColumn, markedPart, regionAt, rowFor, rowToAddTo, spansOf } from "./records.js";

export class Edits {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
  }

  get #session() {
    return this.desk.session;
  }

  /** Do an action that needs no page: fields, class, pages. */
  act(action) {
    this.#session.do({ want: "action", action });
  }

  /** Use a suggested table: its fields, its types, and its records as proposals. */
  useTable({ columns, wrapper }) {
    const types = Object.fromEntries(columns.filter(({ type }) => type !== "text").map(({ name, type }) => [name, type]));
    this.act({ do: "table", fields: wrapper.fields, types, wrapper });
  }

  /** Mark what a person has clicked: for a field, or for the next one that its record lacks. */
  markNext(option, field = null) {
    this.#session.soon(() => this.#mark(this.nextField(option, field), option.span));
  }

  /** The field that a click on a span is for: the first that its record lacks, or a new one. */
  nextField({ span, name: suggested }, field = null) {
    const { desk } = this;
    const { fields } = desk.state;
    if (field !== null && fields.includes(field)) return field;
    const row = this.#rowAround(span);
    return fields.find((name) => !row?.record[name]) ?? this.newField({ span, name: suggested });
  }

  /** The name of a new field for a span: that of its column in a suggested table, if it is in one. */
  newField({ span, name: suggested }) {
    const { desk } = this;
    const { fields } = desk.state;
    const column = desk.tables.columnAt(desk.page, span)?.column;
    return unused(column && !/^column_\d+$/.test(column) && !fields.includes(column) ? column : suggested ?? `field ${fields.length + 1}`, fields);
  }

  /** The row that a span belongs to: by the region that holds both or, without one, as close as possible. */
  #rowAround(span) {
    const rows = this.desk.rows(this.desk.page);
    const [first, last] = regionAt(this.#regions(span), span[0]);
    if (first < last) return rows.find(({ start }) => first <= start && start < last) ?? null;
    return rows.find(({ start, end }) => start <= span[0] && span[1] <= end) ?? rows.findLast(({ start }) => start <= span[0]) ?? rows[0] ?? null;
  }

  /** Mark a span of the page as a value of a field. */
  mark(field, span, options) {
    this.#session.soon(() => this.#mark(field, span, options));
  }

  #mark(field, span, { add = false } = {}) {
    const { desk } = this;
    const rows = desk.rows(desk.page);
    const adds = add || isColumn(field); // a list has as many values as its record has of them
    const row = adds ? rowToAddTo(rows, span, this.#regions(span)) : rowFor(rows, field, span, this.#regions(span), this.#isElsewhere(rows, span));
    const value = adds && row ? added(markedPart(row)?.[field], span) : span;
    desk.cursor = { page: desk.page, at: Math.min(row?.start ?? span[0], span[0]), field };
    desk.revealing ??= { focus: false };
    this.#set(row, field, value, `mark ${field}`);
  }

  /** Whether a span is in another record of a suggested table than the only marked one. */
  #isElsewhere(rows, span) {
    const marked = rows.filter(({ index }) => index >= 0);
    return marked.length === 1 && this.desk.tables.isElsewhere(this.desk.page, span, Object.values(marked[0].marked).flatMap(spansOf));
  }

  /** The regions of records: those of the wrapper or, before there is one, that of a suggested table around a span. */
  #regions(span) {
    const { desk } = this;
    const regions = desk.listing.regions(desk.page);
    if (regions.length) return regions;
    const region = desk.tables.regionAt(desk.page, span);
    return region ? [region] : [];
  }

  /** Accept the page: all records that it shows become its label. */
  accept() {
    this.#session.soon(() => this.#accept());
  }

  #accept() {
    const { page, ready } = this.desk;
    if (!page || !ready) return;
    const { state, learner, messages } = this.desk;
    if (!state.fields.length || (!learner.proposals?.wrapper && !state.labels[page]?.records.length)) {
      messages.show("There is nothing to accept yet: name a field and mark one record first.", "warning");
      return;
    }
    const records = this.desk.rows(page).map(({ record }) => record);
    this.#session.do({ want: "label", page, records, complete: true, told: `accept ${page}` });
    const next = this.#leastCertain();
    if (next) this.desk.open(next);
    else this.desk.messages.show("All pages are accepted.", "good", { text: "Get the data", do: () => this.desk.context.getData() });
  }

  /** Undo accepting the page: it may have more records than those that are marked. */
  reopen() {
    const { page, state } = this.desk;
    const label = state.labels[page];
    if (!label?.complete) return;
    this.#session.do({ want: "label", page, records: label.records, complete: false, told: `reopen ${page}` });
  }

  /** Undo or redo. */
  history(want) {
    const session = this.#session;
    if (!session.server[want] && !session.waiting.length) {
      this.desk.messages.show(`There is nothing to ${want}.`, "warning");
      return;
    }
    session.do({ want });
  }

  /** Replace a value by a text that somebody typed. */
  async correct(cell, text) {
    const { desk } = this;
    await desk.select(cell);
    const source = await desk.texts.load(cell.page);
    const { spans: places, resembling } = await this.#find(cell.page, source, text);
    if (!places.length) {
      const hint = resembling ? ` Did you mean “${resembling}”?` : "";
      desk.messages.show(`“${text}” was not found on ${cell.page}: a value must be part of the page.${hint}`, "warning");
      return;
    }
    const row = desk.rowAt(cell);
    if (!row) return; // it went while the text was looked for
    const old = spansOf(row.record[cell.field])[0]?.[0] ?? row.start;
    const [first, last] = regionAt(desk.listing.regions(cell.page), row.start);
    const held = places.filter(([start, end]) => first <= start && end <= last);
    const near = (held.length ? held : places).reduce((best, span) => (Math.abs(span[0] - old) < Math.abs(best[0] - old) ? span : best));
    desk.cursor = { ...cell, at: Math.min(near[0], startWithout(row, cell.field)) };
    this.#set(row, cell.field, near, `correct ${cell.field}`);
  }

  dropRecord(cell) {
    this.#session.soon(() => this.#dropRecord(cell));
  }

  #dropRecord(cell) {
    const { desk } = this;
    const row = desk.rowAt(cell);
    if (!row) return;
    if (row.index >= 0) {
      this.#session.do({ want: "drop", page: cell.page, anchor: row.record });
      return;
    }
    this.act({ do: "reject", page: cell.page, record: row.record });
  }

  /** Say that the field at the cursor is missing from its record. */
  setMissing() {
    const { cursor } = this.desk;
    if (cursor?.field) this.#setCell(null, `${cursor.field} is missing`);
  }

  /** Remove what is at the cursor: a mark, a proposed value, or the record. */
  remove() {
    const { cursor } = this.desk;
    if (!cursor) return false;
    const row = this.desk.rowAt(cursor);
    if (!row) return true;
    if (!cursor.field) this.dropRecord(cursor);
    else if (row.kinds[cursor.field] === "mark") this.#setCell(undefined, `remove ${cursor.field}`);
    else if (row.record[cursor.field]) this.#setCell(null, `${cursor.field} is missing`);
    return true;
  }

  #set(row, field, value, description) {
    const adds = this.desk.state.fields.includes(field) ? undefined : [field]; // in one step, so that one undo takes both back
    this.#session.do({ want: "set", page: this.desk.page, anchor: markedPart(row), field, value, adds, told: description });
  }

  #setCell(value, description) {
    this.#session.soon(() => this.#setCellNow(value, description));
  }

  #setCellNow(value, description) {
    const { desk } = this;
    const row = desk.cursor && desk.rowAt(desk.cursor);
    if (!row) return;
    const { page, field } = desk.cursor;
    this.#session.do({ want: "set", page, anchor: value === null ? anchorOf(row) : markedPart(row), field, value, told: description });
    desk.cursor = { ...desk.cursor, at: startWithout(row, field) };
  }

  /** Where a text is on a page, as a reader sees it; without the server, where it is in the source. */
  async #find(page, source, text) {
    try {
      return await api.positions(this.desk.state.name, page, text);
    } catch {
      return { spans: source.find(text), resembling: null };
    }
  }

  #leastCertain() {
    const { learner, state, page: current } = this.desk;
    const judged = learner.judgement?.pages ?? {};
    const unaccepted = state.pages.filter((page) => page !== current && !state.labels[page]?.complete);
    const certainty = (page) => judged[page]?.certainty ?? 1;
    return unaccepted.reduce((least, page) => (least === null || certainty(page) < certainty(least) ? page : least), null);
  }
}

/** A name for a new field like this one, which no field has yet. */
function unused(name, fields) {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!fields.includes(candidate)) return candidate;
  }
}

/** Where a row starts without one of its fields; its own start if it has no other value. */
function startWithout(row, field) {
  const { [field]: _, ...remaining } = row.record;
  const starts = Object.values(remaining).flatMap((value) => spansOf(value).map(([start]) => start));
  return starts.length ? Math.min(...starts) : row.start;
}
