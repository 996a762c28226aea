/**
 * Shows a page's source text. Only the rows in sight or near it are in the DOM, and those in which a
 * selection starts and ends. Each row is one text node, so that offsets are computed, not searched.
 */

import { Caret } from "./caret.js";
import { Highlights, Marks, plainRules, rulesOf } from "./marks.js";
import { CodePoints, lastAtMost, snap } from "./offsets.js";
import { attributesOf, rowsOf, tokensOf } from "./rows.js";

const PREFIX = "source-";
const SYNTAX = ["tag", "name", "value", "comment", "reference"];
const RULES = `
  ::highlight(${PREFIX}caret) { background-color: var(--mark-ink); color: var(--mark-paper); }
  ${rulesOf(PREFIX)}`;
const ROW_HEIGHT = 20;
/** How much is rendered above and below the rows in sight, in heights of the view. */
const MARGIN = 0.5;
const LEAST_COLUMNS = 20;

export class SourceView {
  #handlers;
  #scroller;
  #sheet;
  #text = "";
  #points = new CodePoints("");
  #tokens = [];
  #tokenStarts = new Uint32Array();
  #rows = rowsOf("", LEAST_COLUMNS);
  /** The rows in the DOM: their elements by their numbers. */
  #elements = new Map();
  #marks = new Marks([]);
  #highlights;
  #syntax = new Map();
  #caret;
  #scrolledTo = null;
  #waiting = 0;
  #wasSelected = false;

  /** The parameters are those of `PageView`. */
  constructor(container, handlers = {}) {
    this.#handlers = handlers;
    this.#scroller = document.createElement("div");
    this.#scroller.className = "source-view";
    this.#scroller.tabIndex = 0;
    this.#scroller.setAttribute("role", "region");
    this.#scroller.setAttribute("aria-label", "Source");
    this.#sheet = document.createElement("div");
    this.#sheet.className = "source-sheet";
    this.#scroller.append(this.#sheet);
    container.append(this.#scroller);
    const rules = new CSSStyleSheet();
    rules.replaceSync(plainRules(RULES, this.#scroller));
    document.adoptedStyleSheets.push(rules);
    this.#highlights = new Highlights(window, PREFIX);
    for (const kind of SYNTAX) {
      this.#syntax.set(kind, new Highlight());
      CSS.highlights.set(`${PREFIX}${kind}`, this.#syntax.get(kind));
    }
    this.#caret = new Caret(document, `${PREFIX}caret`, {
      place: (selection) => this.#placeCaret(selection),
      reveal: (range) => this.#revealRow(this.#rowOf(this.#unitOf(range.startContainer, range.startOffset))),
    });
    this.#listen();
  }

  /** Show a page's source: the response of `GET .../pages/PAGE/source`. */
  async show({ text }) {
    this.clearSelection();
    this.#text = text;
    this.#points = new CodePoints(text);
    this.#tokens = tokensOf(text);
    this.#tokenStarts = Uint32Array.from(this.#tokens, ({ start }) => start);
    this.#marks = new Marks([]);
    this.#cut();
    this.#scrollTo(0);
  }

  /** Show these marks and no others. @param {import("./marks.js").Mark[]} marks */
  setMarks(marks) {
    this.#marks = new Marks(marks);
    this.#paintMarks();
  }

  /** The selected span, without white space at its ends and with whole character references unless `exact`; or null. */
  selection({ exact = false } = {}) {
    const units = this.#selected();
    const [start, end] = (units && !exact ? snap(this.#text, ...units) : units) ?? [0, 0];
    if (start === end) return null;
    return { start: this.#points.point(start), end: this.#points.point(end, { end: true }) };
  }

  /** Where the selection ends in the window; or null. */
  selectionBox() {
    const selection = document.getSelection();
    return selection.rangeCount && this.#selected() ? ([...selection.getRangeAt(0).getClientRects()].at(-1) ?? null) : null;
  }

  /** Select a span. */
  select(start, end) {
    const units = [this.#points.unit(start), this.#points.unit(end)];
    const numbers = [this.#rowOf(units[0]), this.#rowOf(Math.max(units[1] - 1, units[0]))];
    this.#render(numbers);
    const [first, last] = numbers.map((number) => this.#elements.get(number).firstChild);
    document.getSelection().setBaseAndExtent(
      ...[first, units[0] - this.#rows.starts[numbers[0]]],
      ...[last, units[1] - this.#rows.starts[numbers[1]]],
    );
  }

  clearSelection() {
    this.#caret.hide();
    if (this.#selected()) document.getSelection().removeAllRanges();
  }

  /** Scroll to a span, unless it is in sight. */
  reveal(start, end) {
    const first = this.#rowOf(this.#points.unit(start));
    const last = this.#rowOf(this.#points.unit(Math.max(end - 1, start)));
    const { scrollTop, clientHeight } = this.#scroller;
    const isInSight =
      first * ROW_HEIGHT >= scrollTop && (last + 1) * ROW_HEIGHT <= scrollTop + clientHeight;
    if (!isInSight) this.#scrollTo(first * ROW_HEIGHT - clientHeight / 3);
    return true;
  }

  /** The offset of the first row in sight. */
  topOffset() {
    const row = Math.ceil(this.#scroller.scrollTop / ROW_HEIGHT);
    return this.#points.point(this.#rows.starts[Math.min(row, this.#rows.starts.length - 1)]);
  }

  /** Scroll so that the row of an offset is at the top. */
  scrollToOffset(offset) {
    this.#scrollTo(this.#rowOf(this.#points.unit(offset)) * ROW_HEIGHT);
  }

  focus() {
    this.#scroller.focus({ preventScroll: true });
  }

  #listen() {
    const scroller = this.#scroller;
    scroller.addEventListener("scroll", () => {
      this.#render();
      const isOurs = this.#scrolledTo === scroller.scrollTop;
      this.#scrolledTo = null;
      if (!isOurs) this.#handlers.onScroll?.(this.topOffset());
    });
    scroller.addEventListener("pointerdown", () => this.#caret.hide());
    scroller.addEventListener("click", (event) => this.#click(event));
    scroller.addEventListener("keydown", (event) => this.#key(event));
    scroller.addEventListener("dragstart", (event) => event.preventDefault());
    // The DOM does not have all rows of a long selection: what is copied comes from the text.
    scroller.addEventListener("copy", (event) => {
      const units = this.#selected();
      if (!units) return;
      event.clipboardData.setData("text/plain", this.#text.slice(...units));
      event.preventDefault();
    });
    document.addEventListener("selectionchange", () => {
      cancelAnimationFrame(this.#waiting);
      this.#waiting = requestAnimationFrame(() => this.#reportSelection());
    });
    new ResizeObserver(() => this.#cut()).observe(scroller);
  }

  /** Report the selection in this view, and once when there is none any more. */
  #reportSelection() {
    const isSelected = Boolean(this.#selected());
    if (isSelected || this.#wasSelected) this.#handlers.onSelect?.(this.selection());
    this.#wasSelected = isSelected;
  }

  #scrollTo(top) {
    this.#scroller.scrollTop = top;
    this.#scrolledTo = this.#scroller.scrollTop;
  }

  #key(event) {
    this.#handlers.onKey?.(event);
    if (event.defaultPrevented) return;
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      this.select(0, this.#points.length);
      event.preventDefault();
    } else if (this.#caret.key(event)) event.preventDefault();
  }

  #click({ clientX, clientY }) {
    if (!document.getSelection().isCollapsed) return;
    const position = document.caretPositionFromPoint(clientX, clientY);
    const unit = position && this.#unitOf(position.offsetNode, position.offset);
    if (unit === null) return;
    const mark = this.#marks.at(this.#points.point(unit));
    if (mark) this.#handlers.onMarkClick?.(mark.id);
  }

  /** Cut the text into rows for the current width; the row at the top stays there. */
  #cut() {
    const top = this.topOffset();
    const units = this.#selected();
    this.#rows = rowsOf(this.#text, this.#columns());
    this.#sheet.replaceChildren();
    this.#elements.clear();
    this.#sheet.style.height = `${this.#rows.starts.length * ROW_HEIGHT}px`;
    this.scrollToOffset(top);
    this.#render();
    if (units) this.select(this.#points.point(units[0]), this.#points.point(units[1]));
  }

  /** How many characters fit into a row. */
  #columns() {
    const probe = document.createElement("div");
    probe.className = "source-row";
    probe.style.width = "max-content";
    probe.textContent = "x".repeat(100);
    this.#sheet.append(probe);
    const padding = parseFloat(getComputedStyle(probe).paddingLeft);
    const characterWidth = (probe.getBoundingClientRect().width - padding) / 100;
    probe.remove();
    return Math.max(Math.floor((this.#scroller.clientWidth - padding) / characterWidth) - 1, LEAST_COLUMNS);
  }

  /** Create the elements of the rows in sight or near it, and of the needed rows; remove all others. */
  #render(needed = []) {
    const { scrollTop, clientHeight } = this.#scroller;
    const margin = MARGIN * clientHeight;
    const first = Math.max(Math.floor((scrollTop - margin) / ROW_HEIGHT), 0);
    const last = Math.ceil((scrollTop + clientHeight + margin) / ROW_HEIGHT);
    const rendered = new Set([...needed, ...this.#selectedRows()]);
    for (let row = first; row < Math.min(last, this.#rows.starts.length); row++) rendered.add(row);
    let unchanged = 0;
    for (const [row, element] of this.#elements) {
      if (rendered.has(row)) unchanged++;
      else {
        element.remove();
        this.#elements.delete(row);
      }
    }
    if (unchanged === rendered.size) return;
    let next = null;
    for (const row of [...rendered].sort((left, right) => right - left)) {
      if (!this.#elements.has(row)) this.#sheet.insertBefore(this.#make(row), next);
      next = this.#elements.get(row);
    }
    this.#paint();
  }

  #make(row) {
    const element = document.createElement("div");
    element.className = "source-row";
    element.style.top = `${row * ROW_HEIGHT}px`;
    if (this.#rows.lines[row]) element.dataset.line = this.#rows.lines[row];
    element.append(document.createTextNode(this.#text.slice(...this.#bounds(row))));
    this.#elements.set(row, element);
    return element;
  }

  #bounds(row) {
    return [this.#rows.starts[row], this.#rows.starts[row + 1] ?? this.#text.length];
  }

  /** Paint markup and marks on the rows in the DOM. */
  #paint() {
    this.#highlights.clear();
    for (const highlight of this.#syntax.values()) highlight.clear();
    for (const [start, end] of this.#parts()) this.#paintSyntax(start, end);
    this.#paintMarks();
  }

  #paintMarks() {
    const marks = new Set();
    for (const [start, end] of this.#parts()) {
      for (const mark of this.#marks.within(this.#points.point(start), this.#points.point(end))) {
        marks.add(mark);
      }
    }
    this.#highlights.paint(marks, ({ start, end }) =>
      this.#rangesOf(this.#points.unit(start), this.#points.unit(end)),
    );
  }

  /** The spans of the text that are in the DOM, in units. */
  #parts() {
    const numbers = [...this.#elements.keys()].sort((left, right) => left - right);
    return runs(numbers).map(([first, last]) => [this.#bounds(first)[0], this.#bounds(last)[1]]);
  }

  /** Paint the markup. Adjacent tags are painted as one range, because each range costs the browser time. */
  #paintSyntax(start, end) {
    let tags = null;
    const first = Math.max(lastAtMost(this.#tokenStarts, start), 0);
    for (let at = first; at < this.#tokens.length && this.#tokens[at].start < end; at++) {
      const token = this.#tokens[at];
      if (tags && token.kind === "tag" && token.start === tags.end) tags.end = token.end;
      else {
        if (tags) this.#addSyntax(tags);
        tags = token.kind === "tag" ? { ...token } : null;
        if (!tags) this.#addSyntax(token);
      }
      if (token.kind === "tag") attributesOf(this.#text, token).forEach((attribute) => this.#addSyntax(attribute));
    }
    if (tags) this.#addSyntax(tags);
  }

  #addSyntax({ start, end, kind }) {
    for (const range of this.#rangesOf(start, end)) this.#syntax.get(kind).add(range);
  }

  /** The DOM ranges of a span of units, as far as it is in the DOM. */
  #rangesOf(start, end) {
    const ranges = [];
    const last = this.#rowOf(Math.max(end - 1, start));
    for (const [row, element] of this.#elementsBetween(this.#rowOf(start), last)) {
      const [from, to] = this.#bounds(row);
      ranges.push(
        new StaticRange({
          startContainer: element.firstChild,
          startOffset: Math.max(start, from) - from,
          endContainer: element.firstChild,
          endOffset: Math.min(end, to) - from,
        }),
      );
    }
    return ranges;
  }

  #elementsBetween(first, last) {
    if (last - first > this.#elements.size) {
      return [...this.#elements].filter(([row]) => first <= row && row <= last);
    }
    const entries = [];
    for (let row = first; row <= last; row++) {
      const element = this.#elements.get(row);
      if (element) entries.push([row, element]);
    }
    return entries;
  }

  #rowOf(unit) {
    return lastAtMost(this.#rows.starts, unit);
  }

  /** The unit of a point of the DOM; null if the point is outside this view. */
  #unitOf(node, offset) {
    if (!this.#sheet.contains(node)) return null;
    if (node === this.#sheet) {
      const row = node.children[offset];
      return row ? this.#rows.starts[this.#numberOf(row)] : this.#text.length;
    }
    const row = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const [start, end] = this.#bounds(this.#numberOf(row));
    return node === row ? (offset === 0 ? start : end) : start + offset;
  }

  #numberOf(row) {
    return parseInt(row.style.top, 10) / ROW_HEIGHT;
  }

  /** The units at which the selection starts and ends. */
  #selected() {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const start = this.#unitOf(startContainer, startOffset);
    const end = this.#unitOf(endContainer, endOffset);
    return start === null || end === null ? null : [start, end];
  }

  #selectedRows() {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection();
    return [this.#unitOf(anchorNode, anchorOffset), this.#unitOf(focusNode, focusOffset)]
      .filter((unit) => unit !== null)
      .map((unit) => this.#rowOf(unit));
  }

  #placeCaret(selection) {
    const row = this.#elements.get(Math.ceil(this.#scroller.scrollTop / ROW_HEIGHT));
    if (row) selection.collapse(row.firstChild, 0);
    return Boolean(row);
  }

  #revealRow(row) {
    const { scrollTop, clientHeight } = this.#scroller;
    const [top, bottom] = [row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT];
    if (top < scrollTop) this.#scroller.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.#scroller.scrollTop = bottom - clientHeight;
  }
}

/** The runs of consecutive numbers in a sorted list, as pairs of first and last. */
function runs(numbers) {
  const pairs = [];
  for (const number of numbers) {
    if (pairs.at(-1)?.[1] === number - 1) pairs.at(-1)[1] = number;
    else pairs.push([number, number]);
  }
  return pairs;
}
