/** What a person points at on a page: the text of an element, or the value of one of its attributes. */

import { DATA } from "./data-list.js";

/** Attributes with data, and what people call them. */
const NAMES = {
  href: "link", src: "image", "data-src": "image", srcset: "images", datetime: "date", content: "content",
  value: "value", alt: "image text", title: "tooltip",
};
/** A class with such a name may say what the element holds, unlike `col-md-4` or `Btn_x7Qa`. */
const WORD = /^[A-Za-z]{4,15}$/;
const PLACES = "data-rowen-places";
/** A row of the page's data, and what it says: where its value is in the source, and what it may be called. */
const ROW = '[data-rowen-part="row"]';
const VALUE = "[data-rowen-value]";
/** How far up from what is pointed at attributes are offered: the link around a heading's text. */
const LEVELS = 4;
/** What is between the cells of a line in preformatted text. */
const GAPS = /\s{2,}|\t|\s*\|\s*/g;
/** A longer text is not one value. */
const LONGEST = 400;

/**
 * @typedef {{kind: string, span: [number, number], name: string | null}} Option  `name` is a good name for the field
 * @typedef {{options: Option[], chosen: number, box: DOMRect}} Target  `box` is relative to the page's window
 */

/**
 * What is at a point of the page's window; null if nothing is that could be marked.
 *
 * @param {Document} page
 * @param {(range: Range) => {start: number, end: number} | null} spanOf  where a range is in the source
 * @returns {Target | null}
 */
export function targetAt(page, x, y, spanOf) {
  const row = page.elementFromPoint(x, y)?.closest(ROW);
  if (row) return valueOf(row.querySelector(VALUE));
  const position = page.caretPositionFromPoint(x, y);
  const text = textAt(page, position, x, y);
  const element = text?.parentElement ?? page.elementFromPoint(x, y);
  if (!element || element === page.body || element.contains(page.body) || element.closest(DATA)) return null;
  const isLines = text?.data.includes("\n") && getComputedStyle(element).whiteSpace.startsWith("pre");
  if (isLines) return cellAt(text, position.offset, spanOf);
  return text ? targetOf(element, spanOf) : imageAt(element);
}

/** The cell of a line of preformatted text, or all of the line: columns there are made of blanks. */
function cellAt(node, offset, spanOf) {
  const first = node.data.lastIndexOf("\n", offset - 1) + 1;
  const last = node.data.indexOf("\n", offset);
  const line = [first, last < 0 ? node.data.length : last];
  const cell = [...line];
  for (const { index, 0: gap } of node.data.slice(...line).matchAll(GAPS)) {
    const [start, end] = [first + index, first + index + gap.length];
    if (end <= offset) cell[0] = end;
    else if (start >= offset) { cell[1] = start; break; }
    else return null; // between the cells
  }
  const ranges = { text: rangeOf(node, cell), line: rangeOf(node, line) };
  const options = Object.entries(ranges).flatMap(([kind, range]) => {
    const span = spanOf(range);
    return span && span.end - span.start <= LONGEST ? [{ kind, span: [span.start, span.end], name: null }] : [];
  });
  const distinct = options.filter(({ span }, place) => !place || String(span) !== String(options[0].span));
  return distinct.length ? { options: distinct, chosen: 0, box: ranges.text.getBoundingClientRect() } : null;
}

function rangeOf(node, [start, end]) {
  const range = node.ownerDocument.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

/** The target of an element with a text, or of an image. */
export function targetOf(element, spanOf) {
  if (element.matches(VALUE)) return valueOf(element);
  if (!element.textContent.trim()) return imageAt(element);
  const page = element.ownerDocument;
  const range = page.createRange();
  range.selectNodeContents(element);
  const option = (kind, texts) => {
    const span = texts && spanOf(texts);
    return span && span.end - span.start <= LONGEST ? [{ kind, span: [span.start, span.end], name: nameOf(element) }] : [];
  };
  const options = [...option("text", range), ...attributesAround(element), ...option("whole text", wholeOf(element))];
  if (!options.length) return null;
  // "3 days ago" is of no use: where the page says the date itself, that is the value.
  const date = element.closest("time") ? options.findIndex(({ kind }) => kind === "date") : -1;
  return { options, chosen: Math.max(0, date), box: range.getBoundingClientRect() };
}

/** The elements that can be pointed at, in page order: those with a text of their own, and images. */
export function* targetElements(page) {
  const walker = page.createTreeWalker(page.documentElement, NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const element = walker.currentNode;
    if (element.closest(DATA) && !element.matches(VALUE)) continue;
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if ((hasText || imageAt(element)) && element.getClientRects().length) yield element;
  }
}

/** A value of the page's data: all of it, also where it is shown in part. */
function valueOf(element) {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  const span = element.dataset.rowenValue.split(" ").map(Number);
  const options = [{ kind: "text", span, name: element.dataset.rowenName || null }];
  return { options, chosen: 0, box: range.getBoundingClientRect() };
}

function textAt(page, position, x, y) {
  const node = position?.offsetNode;
  if (node?.nodeType !== Node.TEXT_NODE) return null;
  const range = page.createRange();
  range.selectNodeContents(node);
  const isThere = [...range.getClientRects()].some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
  return isThere ? node : null;
}

function imageAt(element) {
  const options = attributesOf(element).filter(({ kind }) => kind !== "tooltip" && kind !== "link");
  if (!options.some(({ kind }) => kind.startsWith("image"))) return null;
  return { options: [...options, ...attributesAround(element.parentElement)], chosen: 0, box: element.getBoundingClientRect() };
}

/** The range of the smallest element around an element that has more text than it, if that may be one value. */
function wholeOf(element) {
  // A heading or a cell is a value of its own; a word in bold may be part of one.
  if (!getComputedStyle(element).display.startsWith("inline")) return null;
  const own = element.textContent.trim();
  for (let around = element.parentElement; around && around !== element.ownerDocument.body; around = around.parentElement) {
    const text = around.textContent.trim();
    if (text === own) continue;
    if (text.length > LONGEST || around.children.length > 6) return null;
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(around);
    return range;
  }
  return null;
}

/** What the page itself calls an element: by a class that is a word, or because it is a heading. */
function nameOf(element) {
  const word = [...element.classList].find((name) => WORD.test(name));
  return word?.toLowerCase() ?? (element.closest("h1, h2, h3, h4, h5, h6") ? "title" : null);
}

/** The attributes of an element and of those around it, the nearest of each kind. */
function attributesAround(element) {
  const options = new Map();
  for (let level = 0; element && level < LEVELS; level++, element = element.parentElement) {
    for (const option of attributesOf(element)) if (!options.has(option.kind)) options.set(option.kind, option);
  }
  return [...options.values()];
}

function attributesOf(element) {
  const places = element.getAttribute?.(PLACES);
  if (!places) return [];
  return places.split("; ").map((place) => {
    const [name, start, end] = place.split(" ");
    return { kind: NAMES[name], span: [Number(start), Number(end)], name: NAMES[name] };
  });
}
