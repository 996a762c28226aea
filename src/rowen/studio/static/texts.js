/** The pages' sources, fetched once; cut by code points. */
import * as api from "./api.js";
import { CodePoints } from "./offsets.js";

const KEPT = 200;

export class Texts extends EventTarget {
  /** Fires "change" when a text has come. */
  constructor(project) {
    super();
    this.project = project;
    this.there = new Map();
    this.coming = new Map();
  }

  /** A page's source, where it is there already; else null, and it is fetched. */
  get(page) {
    const found = this.there.get(page);
    if (!found) this.load(page).catch(() => null); // asked for again when it is shown again
    return found ?? null;
  }

  /** A page's source. */
  async load(page) {
    if (this.there.has(page)) return this.there.get(page);
    if (!this.coming.has(page)) this.coming.set(page, this.#fetch(page));
    return this.coming.get(page);
  }

  async #fetch(page) {
    try {
      const { text } = await api.source(this.project, page);
      const source = new Source(text);
      this.there.set(page, source);
      if (this.there.size > KEPT) this.there.delete(this.there.keys().next().value);
      this.dispatchEvent(new Event("change"));
      return source;
    } finally {
      this.coming.delete(page);
    }
  }
}

/** A text whose offsets count code points. */
export class Source {
  constructor(text) {
    this.text = text;
    this.points = new CodePoints(text);
  }

  slice(start, end) {
    return this.text.slice(this.points.unit(start), this.points.unit(end));
  }

  /** Where a text stands, as spans; white space may differ. */
  find(wanted) {
    const words = wanted.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    if (!words[0]) return [];
    return Array.from(this.text.matchAll(new RegExp(words.join("\\s+"), "gu")), (found) => [
      this.points.point(found.index),
      this.points.point(found.index + found[0].length, { end: true }),
    ]);
  }
}
