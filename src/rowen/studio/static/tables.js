/** The tables that the server finds on the pages before anything is marked, and where they are on each page. */
import * as api from "./api.js";
import { same, spansOf } from "./records.js";

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

  /** Where the tables are on a page: records and regions of each; null until that has arrived. */
  on(page) {
    const places = this.#places.get(page);
    if (places === undefined && this.list.length && page) this.#locate(page);
    return places ?? null;
  }

  /** The best table with a value at a span of a page: its number and the column; null if there is none. */
  columnAt(page, [start, end]) {
    for (const [table, { records }] of (this.on(page) ?? []).entries()) {
      for (const record of records) {
        for (const [column, value] of Object.entries(record)) {
          if (spansOf(value).some(([first, last]) => first < end && start < last)) return { table, column };
        }
      }
    }
    return null;
  }

  /** The part of a page that belongs to the same record as a span; null if no table has one there. */
  regionAt(page, [start, end]) {
    for (const { regions } of this.on(page) ?? []) {
      const region = regions.find(([first, last]) => first <= start && end <= last);
      if (region && regions.length > 1) return region;
    }
    return null;
  }

  async #locate(page) {
    this.#places.set(page, null);
    try {
      const { tables } = await api.places(this.project, page, this.list.map(({ wrapper }) => wrapper));
      this.#places.set(page, tables);
      this.dispatchEvent(new Event("change"));
    } catch {
      // The page has no hints then.
    }
  }
}
