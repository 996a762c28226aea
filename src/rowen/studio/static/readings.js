/**
 * What a reader sees of values: `Tom &amp; Jerry</b>` is "Tom & Jerry". The server says it, as `rowen
 * extract` does; most texts are their source, and until the answer comes a similar text is shown.
 */
import * as api from "./api.js";

/** In a source without any of these, that is what a reader sees. */
const DOUBTFUL = /[<>&\\\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[^\S ]|\s\s|^\s|\s$/;
/** How many readings are asked for at once. */
const BATCH = 1_000;
/** The cache holds at most this many readings. */
const CACHED = 100_000;

export class Readings extends EventTarget {
  /** Fires "change" when texts have arrived. */
  constructor(project) {
    super();
    this.project = project;
    this.texts = new Map();
    this.wanted = new Map();
    /** Goes up when texts of a page arrive, so that its rows are drawn again. */
    this.arrived = new Map();
  }

  /** What a reader sees of a span of a page's source. */
  get(page, source, span) {
    return this.typed(page, source, span, "text").text;
  }

  /** The value at a span as data of a type, as a text; and why the text is not of the type, if it is not. */
  typed(page, source, [start, end], type) {
    const written = source.slice(start, end);
    if (type === "source" || (type === "text" && !DOUBTFUL.test(written))) return { text: written, wrong: null };
    const key = `${start} ${end} ${type}`;
    const reading = this.texts.get(page)?.get(key);
    if (reading !== undefined) return reading;
    this.#want(page, key, { span: [start, end], type });
    return { text: approximate(written), wrong: null };
  }

  /** Changes when texts of a page have arrived. */
  version(page) {
    return this.arrived.get(page) ?? 0;
  }

  #want(page, key, { span, type }) {
    if (!this.wanted.size) queueMicrotask(() => this.#ask());
    const place = JSON.stringify([page, type]);
    if (!this.wanted.has(place)) this.wanted.set(place, new Map());
    this.wanted.get(place).set(key, span);
  }

  async #ask() {
    const { wanted } = this;
    this.wanted = new Map();
    for (const [place, spans] of wanted) {
      const keys = [...spans.keys()];
      for (let at = 0; at < keys.length; at += BATCH) await this.#fetch(JSON.parse(place), keys.slice(at, at + BATCH), spans);
    }
  }

  async #fetch([page, type], keys, spans) {
    let texts, wrong;
    try {
      ({ texts, wrong } = await api.readings(this.project, page, keys.map((key) => spans.get(key)), type));
    } catch {
      return; // they are asked for again when the rows are drawn anew
    }
    let known = this.texts.get(page);
    if (!known || known.size + keys.length > CACHED) this.texts.set(page, (known = new Map()));
    keys.forEach((key, at) => known.set(key, { text: texts[at], wrong: wrong[at] }));
    this.arrived.set(page, this.version(page) + 1);
    this.dispatchEvent(new Event("change"));
  }
}

/** A source without its tags, with references resolved as in text. */
function approximate(written) {
  const text = written.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  if (!text.includes("&")) return text.trim();
  // A document that is never shown: no script runs, nothing is loaded.
  const inert = document.implementation.createHTMLDocument("");
  inert.body.innerHTML = text.replaceAll("<", "&lt;");
  return inert.body.textContent.trim();
}
