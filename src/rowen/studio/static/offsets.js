/**
 * Translates between offsets in a page's source, counted in code points, and offsets in the browser's
 * texts, counted in UTF-16 units. Pure functions of texts, without the DOM.
 */

const STEP = 128;
const SURROGATE = /[\ud800-\udfff]/;
const SPACE = /\s/;
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/giy;
const LONGEST_REFERENCE = 40;

/** Translates between code points and UTF-16 units of a text without counting from its beginning each time. */
export class CodePoints {
  #text;
  /** How many code points start before each STEP-th unit; null if every unit is a code point. */
  #counts = null;

  constructor(text) {
    this.#text = text;
    this.length = text.length;
    if (SURROGATE.test(text)) {
      this.#counts = new Uint32Array(Math.floor(text.length / STEP) + 1);
      let count = 0;
      for (let unit = 0; unit < text.length; unit++) {
        if (unit % STEP === 0) this.#counts[unit / STEP] = count;
        if (!isSecondHalf(text, unit)) count++;
      }
      if (text.length % STEP === 0) this.#counts[text.length / STEP] = count;
      this.length = count;
    }
  }

  /** The code point that a unit belongs to. For a span's end inside a surrogate pair it is the next one. */
  point(unit, { end = false } = {}) {
    if (!this.#counts) return unit;
    const step = Math.floor(unit / STEP);
    let count = this.#counts[step];
    for (let at = step * STEP; at < unit; at++) if (!isSecondHalf(this.#text, at)) count++;
    return isSecondHalf(this.#text, unit) && !end ? count - 1 : count;
  }

  /** The unit at which a code point starts. */
  unit(point) {
    if (!this.#counts) return point;
    const step = lastAtMost(this.#counts, point);
    let unit = step * STEP;
    for (let count = this.#counts[step]; unit < this.#text.length; unit++) {
      if (isSecondHalf(this.#text, unit)) continue;
      if (count++ === point) break;
    }
    return unit;
  }
}

/** Where the texts of a page, in the tree's order, are in its source. */
export class Places {
  #texts;
  #codePoints = new Map();
  /** For each text the number of its first piece. */
  #first;
  /** For each piece its text, and where the piece is in the text and in the source. */
  #textOf;
  #units;
  #starts;
  #ends;
  /** Pieces in the order of the source: HTML parsers move text inside a table, but outside its cells, before the table. */
  #bySource;
  #sourceStarts;

  /** @param {{x: string, m: number[]}[]} texts see rowen.views.view */
  constructor(texts) {
    this.#texts = texts.map(({ x }) => x);
    const total = texts.reduce((sum, text) => sum + text.m.length / 3, 0);
    this.#first = new Uint32Array(texts.length + 1);
    this.#textOf = new Uint32Array(total);
    this.#units = new Uint32Array(total);
    this.#starts = new Uint32Array(total);
    this.#ends = new Uint32Array(total);
    let piece = 0;
    texts.forEach(({ m }, number) => {
      this.#first[number] = piece;
      for (let at = 0; at < m.length; at += 3, piece++) {
        this.#textOf[piece] = number;
        this.#units[piece] = m[at];
        this.#starts[piece] = m[at + 1];
        this.#ends[piece] = m[at + 2];
      }
    });
    this.#first[texts.length] = piece;
    this.#bySource = Uint32Array.from({ length: total }, (_, number) => number);
    this.#bySource.sort((left, right) => this.#starts[left] - this.#starts[right]);
    this.#sourceStarts = this.#bySource.map((piece) => this.#starts[piece]);
  }

  /** The number of texts. */
  get length() {
    return this.#texts.length;
  }

  /** A text by its number. */
  text(number) {
    return this.#texts[number];
  }

  /** The span in the source of some units of a text, with whole character references; null if there is none. */
  span(number, from, to) {
    const last = this.#first[number + 1];
    let piece = this.#pieceAt(number, from);
    if (piece === last || from >= to) return null;
    const start = this.#sourceOf(number, piece, from, false);
    while (piece + 1 < last && this.#units[piece + 1] < to) piece++;
    return { start, end: this.#sourceOf(number, piece, to, true) };
  }

  /**
   * The span in the source of everything between two points, from the character that is first in the
   * source to the one that is last there.
   */
  hull(first, last) {
    let start = Infinity;
    let end = -1;
    for (let number = first.text; number <= Math.min(last.text, this.length - 1); number++) {
      const from = number === first.text ? first.unit : 0;
      const to = number === last.text ? last.unit : this.text(number).length;
      const span = this.span(number, from, to);
      if (!span) continue;
      start = Math.min(start, span.start);
      end = Math.max(end, span.end);
    }
    return end < 0 ? null : { start, end };
  }

  /** Whether a text is of the page itself: the names in the list of its data are not. */
  #hasSource(number) {
    return this.#first[number] < this.#first[number + 1];
  }

  /**
   * Two points moved towards each other past white space and past texts that are not shown or not in the source; null
   * if nothing is left.
   */
  trim(first, last, isShown) {
    let { text: start, unit: from } = first;
    let { text: end, unit: to } = last;
    if (end >= this.length) [end, to] = [this.length - 1, Infinity];
    for (; start <= end; start++, from = 0) {
      const text = this.text(start);
      const stop = start === end ? Math.min(to, text.length) : text.length;
      while (from < stop && SPACE.test(text[from])) from++;
      if (from < stop && this.#hasSource(start) && isShown(start)) break;
    }
    if (start > end) return null;
    for (; end > start; end--, to = Infinity) {
      const text = this.text(end);
      to = Math.min(to, text.length);
      while (to > 0 && SPACE.test(text[to - 1])) to--;
      if (to > 0 && this.#hasSource(end) && isShown(end)) break;
    }
    const text = this.text(end);
    to = Math.min(to, text.length);
    while (end === start && SPACE.test(text[to - 1])) to--;
    return [{ text: start, unit: from }, { text: end, unit: to }];
  }

  /** The units of texts that come from a span of the source: `{text, from, to}`, in the order of the source. */
  units(start, end) {
    const ranges = [];
    for (let at = this.#firstAfter(start); at < this.#bySource.length; at++) {
      const piece = this.#bySource[at];
      if (this.#starts[piece] >= end) break;
      const text = this.#textOf[piece];
      const from = this.#unitOf(piece, Math.max(start, this.#starts[piece]), false);
      const to = this.#unitOf(piece, Math.min(end, this.#ends[piece]), true);
      const before = ranges.at(-1);
      if (before?.text === text && before.to === from) before.to = to;
      else ranges.push({ text, from, to });
    }
    return ranges;
  }

  /** The first point of a text at or after an offset of the source; null after the last. */
  pointAt(offset) {
    const at = this.#firstAfter(offset);
    if (at === this.#bySource.length) return null;
    const piece = this.#bySource[at];
    const place = Math.max(offset, this.#starts[piece]);
    return { text: this.#textOf[piece], unit: this.#unitOf(piece, place, false) };
  }

  /** The offset in the source of a point, or of the next point that has one; null after the last. */
  offsetOf({ text, unit }) {
    for (let number = text; number < this.length; number++) {
      const from = number === text ? unit : 0;
      const span = this.span(number, from, this.text(number).length);
      if (span) return span.start;
    }
    return null;
  }

  /** The first piece, in the order of the source, that ends after an offset. */
  #firstAfter(offset) {
    const at = Math.max(lastAtMost(this.#sourceStarts, offset), 0);
    if (at === this.#bySource.length) return at;
    return this.#ends[this.#bySource[at]] > offset ? at : at + 1;
  }

  #pieceAt(number, unit) {
    const first = this.#first[number];
    const last = this.#first[number + 1];
    return first === last ? last : first + lastAtMost(this.#units.subarray(first, last), unit);
  }

  #endUnit(piece) {
    const number = this.#textOf[piece];
    const isLast = piece + 1 === this.#first[number + 1];
    return isLast ? this.text(number).length : this.#units[piece + 1];
  }

  /** Whether a piece has fewer units than its source has characters: a character reference, or CR LF. */
  #isWhole(piece) {
    return this.#endUnit(piece) - this.#units[piece] < this.#ends[piece] - this.#starts[piece];
  }

  /** Whether units and code points of a piece correspond one to one. */
  #isPlain(piece) {
    return this.#endUnit(piece) - this.#units[piece] === this.#ends[piece] - this.#starts[piece];
  }

  #sourceOf(number, piece, unit, end) {
    if (this.#isWhole(piece)) return end ? this.#ends[piece] : this.#starts[piece];
    const stop = Math.min(unit, this.#endUnit(piece));
    if (this.#isPlain(piece)) return this.#starts[piece] + stop - this.#units[piece];
    const points = this.#pointsOf(number);
    return this.#starts[piece] + points.point(stop, { end }) - points.point(this.#units[piece]);
  }

  #unitOf(piece, offset, end) {
    if (this.#isWhole(piece)) return end ? this.#endUnit(piece) : this.#units[piece];
    const inside = offset - this.#starts[piece];
    if (this.#isPlain(piece)) return this.#units[piece] + inside;
    const points = this.#pointsOf(this.#textOf[piece]);
    return points.unit(points.point(this.#units[piece]) + inside);
  }

  #pointsOf(number) {
    let points = this.#codePoints.get(number);
    if (!points) this.#codePoints.set(number, (points = new CodePoints(this.text(number))));
    return points;
  }
}

/** A span of units without white space at its ends and with whole character references; null if nothing is left. */
export function snap(text, start, end) {
  while (start < end && SPACE.test(text[start])) start++;
  while (end > start && SPACE.test(text[end - 1])) end--;
  if (start === end) return null;
  return [referenceAround(text, start)?.[0] ?? start, referenceAround(text, end)?.[1] ?? end];
}

/** The start and end of the character reference that has an offset in its middle; or null. */
function referenceAround(text, at) {
  const start = text.lastIndexOf("&", at - 1);
  if (start < 0 || at - start > LONGEST_REFERENCE) return null;
  REFERENCE.lastIndex = start;
  return REFERENCE.test(text) && REFERENCE.lastIndex > at ? [start, REFERENCE.lastIndex] : null;
}

/** The last index of a sorted array whose number is at most `limit`; -1 if there is none. */
export function lastAtMost(numbers, limit) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function isSecondHalf(text, unit) {
  return isBetween(text.charCodeAt(unit), 0xdc00) && isBetween(text.charCodeAt(unit - 1), 0xd800);
}

function isBetween(code, first) {
  return code >= first && code < first + 0x400;
}
