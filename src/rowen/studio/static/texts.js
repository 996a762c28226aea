/** The sources of the pages, each fetched once. */
import * as api from "./api.js";
import { CodePoints } from "./offsets.js";

/** The cache holds at most this many sources. */
const CACHED = 200;

export class Texts extends EventTarget {
  /** Fires "change" when a source has arrived. */
  constructor(project) {
    super();
    this.project = project;
    this.sources = new Map();
    this.requests = new Map();
  }

  /** A page's source if it is cached; else null, and it is fetched. */
  get(page) {
    const source = this.sources.get(page);
    if (!source) this.load(page).catch(() => null); // it is requested again at the next drawing
    return source ?? null;
  }

  /** A page's source, fetched if needed. */
  async load(page) {
    if (this.sources.has(page)) return this.sources.get(page);
    if (!this.requests.has(page)) this.requests.set(page, this.#fetch(page));
    return this.requests.get(page);
  }

  async #fetch(page) {
    try {
      const { text } = await api.source(this.project, page);
      const source = new Source(text);
      this.sources.set(page, source);
      if (this.sources.size > CACHED) this.sources.delete(this.sources.keys().next().value);
      this.dispatchEvent(new Event("change"));
      return source;
    } finally {
      this.requests.delete(page);
    }
  }
}

/** A source text whose offsets count code points. */
export class Source {
  constructor(text) {
    this.text = text;
    this.points = new CodePoints(text);
  }

  slice(start, end) {
    return this.text.slice(this.points.unit(start), this.points.unit(end));
  }

  /** The spans where a text occurs; white space may differ, and case if it is ignored. */
  find(text, { ignoreCase = false } = {}) {
    const words = text.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    if (!words[0]) return [];
    return Array.from(this.text.matchAll(new RegExp(words.join("\\s+"), ignoreCase ? "giu" : "gu")), (match) => [
      this.points.point(match.index),
      this.points.point(match.index + match[0].length, { end: true }),
    ]);
  }
}
