/** Marks on a page, looked up by offset, and painted with CSS highlights, which leave the DOM alone. */

import { lastAtMost } from "./offsets.js";

/**
 * @typedef {object} Mark
 * @property {string} id
 * @property {number} start in code points of the source
 * @property {number} end
 * @property {number} color 0 to 8
 * @property {"mark"|"proposal"|"recognized"|"delimiter"|"conflict"|"hint"|"column"} kind
 * @property {boolean} [current]
 */

const COLORS = 9;
/** From the lowest to the highest priority. */
const KINDS = ["hint", "column", "delimiter", "recognized", "proposal", "mark", "current", "conflict"];
/** The kinds that only show what could be marked: a click on them marks. */
const SUGGESTED = ["hint", "column"];
const STYLES = {
  hint: "background-color: color-mix(in oklab, F 34%, var(--mark-paper)); color: var(--mark-ink);",
  column: "background-color: color-mix(in oklab, F 70%, var(--mark-paper)); color: var(--mark-ink);",
  mark: "background-color: F ; color: var(--mark-ink);",
  proposal: `background-color: color-mix(in oklab, F 38%, var(--mark-paper)); color: var(--mark-ink);
    text-decoration: underline solid 2px color-mix(in oklab, F 70%, var(--mark-ink));`,
  recognized: "text-decoration: underline dashed 2px color-mix(in oklab, F 65%, var(--mark-ink));",
  delimiter: `background-color: color-mix(in oklab, F 16%, var(--mark-paper)); color: var(--mark-ink);
    text-decoration: underline dotted 2px color-mix(in oklab, F 55%, var(--mark-ink));`,
  conflict: "text-decoration: underline wavy 2px var(--mark-conflict);",
  current: `background-color: color-mix(in oklab, F 90%, var(--mark-ink));
    color: var(--mark-current-ink); text-decoration: underline solid 3px var(--mark-ink);`,
};

/** Underlines. If a highlight has one, browsers go through all of a long page at each change. */
const LINES = /text-decoration:[^;]*;/;
/** The kinds whose colour is enough, without an underline. */
const COLORED = ["proposal", "current"];

/** The CSS rules that paint marks, for highlights whose names start with a prefix. */
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
 * The rules with each custom property replaced by its value at an element. If highlights use custom
 * properties, browsers compute all their styles again for each element that sets any property.
 */
export function plainRules(rules, element) {
  const values = getComputedStyle(element);
  return rules.replaceAll(/var\((--[\w-]+)\)/g, (_, name) => values.getPropertyValue(name));
}

/** The same, as important rules, so that they win over the page's own. */
export function fixedRules(rules, element) {
  return plainRules(rules, element).replaceAll(";", " !important;");
}

/** Marks in the order of the source. */
export class Marks {
  #marks;
  #starts;
  /** For each mark the furthest end of this mark and of all before it. */
  #reach;

  /** @param {Mark[]} marks */
  constructor(marks) {
    this.#marks = marks.toSorted((left, right) => left.start - right.start || right.end - left.end);
    this.#starts = this.#marks.map(({ start }) => start);
    let reach = 0;
    this.#reach = this.#marks.map(({ end }) => (reach = Math.max(reach, end)));
  }

  /** The number of marks. */
  get length() {
    return this.#marks.length;
  }

  /** All marks that overlap a span. */
  *within(start, end) {
    // Marks may contain each other. Up to this index every mark ends before the span starts.
    for (let at = lastAtMost(this.#reach, start) + 1; at < this.#marks.length; at++) {
      const mark = this.#marks[at];
      if (mark.start >= end) return;
      if (mark.end > start) yield mark;
    }
  }

  /** The number of marks that start in a span. */
  count(start, end) {
    return lastAtMost(this.#starts, end - 1) - lastAtMost(this.#starts, start - 1);
  }

  /** A span of the source, extended by `count` marks on each side. */
  around({ start, end }, count) {
    const first = lastAtMost(this.#starts, start) - count;
    const last = lastAtMost(this.#starts, end) + count;
    return {
      start: first > 0 ? this.#starts[first] : 0,
      end: last < this.length ? this.#starts[last] : Infinity,
    };
  }

  /** The mark that a click at an offset selects: the innermost. */
  at(offset) {
    let innermost = null;
    for (const mark of this.within(offset, offset + 1)) {
      if (SUGGESTED.includes(mark.kind)) continue;
      if (!innermost || mark.end - mark.start <= innermost.end - innermost.start) innermost = mark;
    }
    return innermost;
  }
}

/** The highlights of a window, by the names that the CSS rules use. */
export class Highlights {
  #window;
  #prefix;
  #painted = new Map();

  constructor(window, prefix) {
    this.#window = window;
    this.#prefix = prefix;
  }

  /**
   * Paint these marks and no others. Marks that were painted before are left alone.
   * @param {Iterable<Mark>} marks
   * @param {(mark: Mark) => AbstractRange[]} rangesOf
   * @param {boolean} plain without underlines, for kinds whose colour is enough
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

  /** Remove all marks. */
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
