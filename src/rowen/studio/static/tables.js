/** The tables that the server finds on the pages before anything is marked, and where they are on each page. */
import * as api from "./api.js";
import { Marks } from "./marks.js";
import { regionAt, same, spansOf } from "./records.js";

/** @typedef {{records: number, pages: string[], columns: {name, type, filled, samples}[], wrapper: object}} Table */

export class Tables extends EventTarget {
  #pages = null;
  #places = new Map();

  /** Fires "change" when tables or their places have arrived. */
  constructor(project) {
    super();
    this.project = project;
    /** @type {Table[]} best first */
    this.list = [];
    /** Whether the tables are being searched for. */
    this.busy = false;
  }

  /** Search the project's pages, unless they were searched already. */
  async search(pages) {
    if (this.busy || !pages.length || same(this.#pages, pages)) return;
    this.busy = true;
    try {
      const { tables } = await api.tables(this.project);
      Object.assign(this, { list: tables });
      this.#places.clear();
    } catch {
      this.list = []; // suggestions are an offer: without them everything can still be marked
    } finally {
      this.#pages = pages;
      this.busy = false;
      this.dispatchEvent(new Event("change"));
    }
  }

  /** Where the tables are on a page: the values and the regions of each; null until that has arrived. */
  on(page) {
    const places = this.#places.get(page);
    if (places === undefined && this.list.length && page) this.#locate(page);
    return places ?? null;
  }

  /** The best table with a value at a span of a page: its number and the column; null if there is none. */
  columnAt(page, [start, end]) {
    for (const [table, { values }] of (this.on(page) ?? []).entries()) {
      const [value] = values.within(start, end);
      if (value) return { table, column: value.column };
    }
    return null;
  }

  /** The values of a table on a page: up to `count` before and after an offset, with their columns. */
  valuesNear(page, table, offset, count) {
    const values = this.on(page)?.[table]?.values;
    if (!values) return [];
    const near = values.around({ start: offset, end: offset }, count);
    return [...values.within(near.start, near.end)];
  }

  /**
   * Whether a span belongs to another record than these marked ones: a table has both in different records, and the
   * marked record has a value of the same column that is not marked yet.
   */
  isElsewhere(page, [start, end], marked) {
    return (this.on(page) ?? []).some(({ regions, values }) => {
      const [value] = values.within(start, end);
      const places = marked.map(([first]) => regionAt(regions, first));
      if (!value || places.some(([first, last]) => first <= start && start < last)) return false;
      const isMarked = (other) => marked.some(([first, last]) => first < other.end && other.start < last);
      return places.some(([first, last]) =>
        [...values.within(first, last)].some((other) => other.column === value.column && !isMarked(other)),
      );
    });
  }

  /** The part of a page that belongs to the same record as a span; null if no table has one there. */
  regionAt(page, [start, end]) {
    for (const { regions } of this.on(page) ?? []) {
      const region = regionAt(regions, start);
      if (end <= region[1] && regions.length > 1) return region;
    }
    return null;
  }

  async #locate(page) {
    this.#places.set(page, null);
    try {
      const { tables } = await api.places(this.project, page, this.list.map(({ wrapper }) => wrapper));
      this.#places.set(page, tables.map(({ records, regions }) => ({ regions, values: valuesOf(records) })));
      this.dispatchEvent(new Event("change"));
    } catch {
      // The page has no hints then.
    }
  }
}

/** All values of records, to be looked up by their places. */
function valuesOf(records) {
  return new Marks(
    records.flatMap((record) => Object.entries(record).flatMap(([column, value]) => spansOf(value).map(([start, end]) => ({ start, end, column })))),
  );
}
