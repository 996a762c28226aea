/** Marks on a page, found by their place, and how they are painted: without touching the DOM. */

import { lastAtMost } from "./offsets.js";

/**
 * @typedef {object} Mark
 * @property {string} id
 * @property {number} start in code points of the source
 * @property {number} end
 * @property {number} color 0 to 8
 * @property {"mark"|"proposal"|"recognized"|"delimiter"|"conflict"} kind
 * @property {boolean} [current]
 */

const COLORS = 9;
/** From what gives way to what is seen above it. */
const KINDS = ["delimiter", "recognized", "proposal", "mark", "current", "conflict"];
const STYLES = {
  mark: "background-color: F ; color: var(--mark-ink);",
  proposal: `background-color: color-mix(in oklab, F 38%, var(--mark-paper)); color: var(--mark-ink);
    text-decoration: underline solid 2px color-mix(in oklab, F 70%, var(--mark-ink));`,
  recognized: "text-decoration: underline dashed 2px color-mix(in oklab, F 65%, var(--mark-ink));",
  delimiter: `background-color: color-mix(in oklab, F 16%, var(--mark-paper)); color: var(--mark-ink);
    text-decoration: underline dotted 2px color-mix(in oklab, F 55%, var(--mark-ink));`,
  conflict: "text-decoration: underline wavy 2px var(--mark-conflict);",
  current: `background-color: color-mix(in oklab, F 76%, var(--mark-ink));
    color: var(--mark-current-ink); text-decoration: underline solid 2px var(--mark-ink);`,
};

/** Lines under texts: where one is painted, browsers look through all of a long page at each change. */
const LINES = /text-decoration:[^;]*;/;
/** Those that can do without. */
const COLORED = ["proposal", "current"];

/** The rules by which marks are painted, for names that start with a prefix. */
export function rulesOf(prefix) {
  const rules = KINDS.flatMap((kind) =>
    Array.from({ length: COLORS }, (_, color) => {
      const style = STYLES[kind].replaceAll("F ", `var(--field-${color}) `);
      return `::highlight(${prefix}${kind}-${color}) { ${style} }
        ::highlight(${prefix}${kind}-plain-${color}) { ${style.replace(LINES, "")} }`;
    }),
  );
  return rules.join("\n");
}

/**
 * Rules whose custom properties have the values of an element. Where highlights ask for properties,
 * browsers work out the styles of all of them anew for each element that sets any property.
 */
export function plainRules(rules, element) {
  const values = getComputedStyle(element);
  return rules.replaceAll(/var\((--[\w-]+)\)/g, (_, name) => values.getPropertyValue(name));
}

/** The same, and they win against others. */
export function fixedRules(rules, element) {
  return plainRules(rules, element).replaceAll(";", " !important;");
}

/** Marks in the order of the source. */
export class Marks {
  #marks;
  #starts;
  /** The furthest end of each mark and all before it. */
  #reach;

  /** @param {Mark[]} marks */
  constructor(marks) {
    this.#marks = marks.toSorted((one, other) => one.start - other.start || other.end - one.end);
    this.#starts = this.#marks.map(({ start }) => start);
    let reach = 0;
    this.#reach = this.#marks.map(({ end }) => (reach = Math.max(reach, end)));
  }

  /** How many there are. */
  get length() {
    return this.#marks.length;
  }

  /** All marks that have a place in common with a span. */
  *within(start, end) {
    for (let at = lastAtMost(this.#reach, start) + 1; at < this.#marks.length; at++) {
      const mark = this.#marks[at];
      if (mark.start >= end) return;
      if (mark.end > start) yield mark;
    }
  }

  /** How many start in a span. */
  count(start, end) {
    return lastAtMost(this.#starts, end - 1) - lastAtMost(this.#starts, start - 1);
  }

  /** A span of the source, made wider by as many marks on each side. */
  around({ start, end }, count) {
    const first = lastAtMost(this.#starts, start) - count;
    const last = lastAtMost(this.#starts, end) + count;
    return {
      start: first > 0 ? this.#starts[first] : 0,
      end: last < this.length ? this.#starts[last] : Infinity,
    };
  }

  /** The mark that a click at an offset means: the innermost one. */
  at(offset) {
    let found = null;
    for (const mark of this.within(offset, offset + 1)) {
      if (!found || mark.end - mark.start <= found.end - found.start) found = mark;
    }
    return found;
  }
}

/** The highlights of one window, by the names that rules have. */
export class Highlights {
  #window;
  #prefix;
  #painted = new Map();

  constructor(window, prefix) {
    this.#window = window;
    this.#prefix = prefix;
  }

  /**
   * Paints marks instead of those painted before; what was there already is left alone.
   * @param {Iterable<Mark>} marks
   * @param {(mark: Mark) => AbstractRange[]} rangesOf
   * @param {boolean} plain without lines, where colours tell as much
   */
  paint(marks, rangesOf, plain = false) {
    const before = this.#painted;
    this.#painted = new Map();
    for (const mark of marks) {
      for (const kind of mark.current ? [mark.kind, "current"] : [mark.kind]) {
        const name = plain && COLORED.includes(kind) ? `${kind}-plain-${mark.color}` : `${kind}-${mark.color}`;
        const key = `${mark.start} ${mark.end} ${name}`;
        if (this.#painted.has(key)) continue;
        const old = before.get(key);
        before.delete(key);
        this.#painted.set(key, old ?? this.#add(name, kind, rangesOf(mark)));
      }
    }
    for (const { highlight, ranges } of before.values()) {
      for (const range of ranges) highlight.delete(range);
    }
  }

  /** Paints nothing any more. */
  clear() {
    this.paint([], () => []);
  }

  #add(name, kind, ranges) {
    const registry = this.#window.CSS.highlights;
    let highlight = registry.get(this.#prefix + name);
    if (!highlight) {
      highlight = new this.#window.Highlight();
      highlight.priority = KINDS.indexOf(kind) + 1;
      registry.set(this.#prefix + name, highlight);
    }
    for (const range of ranges) highlight.add(range);
    return { highlight, ranges };
  }
}
