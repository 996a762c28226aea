/** Runs the recognizers that a person has chosen for fields, and marks what they find. */
import * as api from "./api.js";
import { counted } from "./dom.js";
import { Recognized, unmarked } from "./recognized.js";
import { markedPart, rowFor, rowsOf } from "./records.js";

export class Recognizing {
  /** @param {HTMLElement} container @param {import("./desk.js").Desk} desk */
  constructor(container, desk) {
    this.desk = desk;
    this.bar = new Recognized(container, {
      accept: (items) => this.#accept(items),
      drop: (item) => (this.dropped.add(item.id), desk.draw()),
      stop: () => ((this.chosen = {}), desk.draw()),
    });
    this.reset();
  }

  /** Forget everything: another project is opened. */
  reset() {
    this.chosen = {};
    this.dropped = new Set();
    /** What recognizers find on a page, by page and recognizer. */
    this.spans = {};
    this.candidates = [];
  }

  /** Choose a recognizer for a field, or none. */
  async choose(field, name) {
    this.chosen = { ...this.chosen, [field]: name || undefined };
    await this.run();
    if (name && !this.candidates.some((candidate) => candidate.field === field)) {
      this.desk.messages.show(`The recognizer ${name} finds nothing more on this page.`, "warning");
    }
  }

  /** Run all chosen recognizers on the page that is shown. */
  async run() {
    const { desk } = this;
    const { page } = desk;
    const spans = (this.spans[page] ??= {});
    for (const name of new Set(Object.values(this.chosen).filter(Boolean))) {
      if (spans[name]) continue;
      try {
        Object.assign(spans, await api.recognized(desk.state.name, page, name));
      } catch (error) {
        desk.messages.show(`The recognizer ${name} failed: ${error.message}.`, "error");
      }
    }
    this.draw();
    desk.draw();
  }

  draw() {
    const { page, state, texts, readings } = this.desk;
    const rows = page ? this.desk.rows(page) : [];
    const source = page && texts.get(page);
    this.candidates = state.fields.flatMap((field, number) => {
      const spans = this.spans[page]?.[this.chosen[field]] ?? [];
      return unmarked(spans, rows, field)
        .map((span) => ({ id: JSON.stringify(["recognized", field, ...span]), field, span, color: number % 9, text: source ? readings.get(page, source, span) : "" }))
        .filter(({ id }) => !this.dropped.has(id));
    });
    this.candidates.sort((left, right) => left.span[0] - right.span[0]);
    this.bar.show(this.candidates);
  }

  /** The candidates as marks on the page. */
  marks() {
    return this.candidates.map(({ id, span: [start, end], color }) => ({
      id, start, end, color, kind: "recognized", current: id === this.bar.current?.id,
    }));
  }

  /** Accept the candidate of a field at an offset. */
  acceptAt(field, start) {
    this.bar.accept(this.candidates.find((candidate) => candidate.field === field && candidate.span[0] === start)?.id);
  }

  /** Mark several recognized values in one step, so that one undo takes them all back. */
  #accept(items) {
    const { page, state, session } = this.desk;
    const label = state.labels[page];
    let rows = this.desk.rows(page);
    const regions = this.desk.listing.regions(page);
    const marked = new Map(rows.filter(({ index }) => index >= 0).map((row) => [row.start, markedPart(row)]));
    for (const { field, span } of items) {
      const row = rowFor(rows, field, span, regions);
      const record = { ...markedPart(row), [field]: span };
      marked.delete(row?.start);
      marked.set(Math.min(row?.start ?? span[0], span[0]), record);
      const proposed = rows.filter(({ index, start }) => index < 0 && start !== row?.start).map((proposal) => proposal.record);
      rows = rowsOf({ records: inPageOrder(marked), complete: false }, proposed, state.fields, regions);
    }
    const records = inPageOrder(marked);
    const description = items.length === 1 ? `accept ${items[0].field}` : `accept ${counted(items.length, "value")}`;
    session.do({ want: "label", page, records, complete: Boolean(label?.complete), told: description });
  }
}

/** The records of a map by their starts, in page order. */
function inPageOrder(recordsByStart) {
  return [...recordsByStart].sort(([left], [right]) => left - right).map(([, record]) => record);
}
