/**
 * A page's source text. Only the rows near what is seen are in the DOM, and those in which a
 * selection starts and ends; each is one text node, so that places are counted, not searched.
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
/** How many views' heights of rows are kept on either side of what is seen. */
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
  /** The rows in the DOM: their number to their element. */
  #made = new Map();
  #marks = new Marks([]);
  #highlights;
  #syntax = new Map();
  #caret;
  #scrolledTo = null;
  #waiting = 0;
  #wasSelected = false;

  /** As that of `PageView`. */
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

  /** Shows a page's source: what `GET .../pages/PAGE/source` answers. */
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

  /** Shows these marks and no others. @param {import("./marks.js").Mark[]} marks */
  setMarks(marks) {
    this.#marks = new Marks(marks);
    this.#paintMarks();
  }

  /** What is selected, without white space at its ends and with whole references unless `exact`. */
  selection({ exact = false } = {}) {
    const units = this.#selected();
    const [start, end] = (units && !exact ? snap(this.#text, ...units) : units) ?? [0, 0];
    if (start === end) return null;
    return { start: this.#points.point(start), end: this.#points.point(end, { end: true }) };
  }

  /** Selects a span. */
  select(start, end) {
    const units = [this.#points.unit(start), this.#points.unit(end)];
    const numbers = [this.#rowOf(units[0]), this.#rowOf(Math.max(units[1] - 1, units[0]))];
    this.#render(numbers);
    const [first, last] = numbers.map((number) => this.#made.get(number).firstChild);
    document.getSelection().setBaseAndExtent(
      ...[first, units[0] - this.#rows.starts[numbers[0]]],
      ...[last, units[1] - this.#rows.starts[numbers[1]]],
    );
  }

  clearSelection() {
    this.#caret.hide();
    if (this.#selected()) document.getSelection().removeAllRanges();
  }

  /** Scrolls to a span, if it is not seen. */
  reveal(start, end) {
    const first = this.#rowOf(this.#points.unit(start));
    const last = this.#rowOf(this.#points.unit(Math.max(end - 1, start)));
    const { scrollTop, clientHeight } = this.#scroller;
    const isSeen =
      first * ROW_HEIGHT >= scrollTop && (last + 1) * ROW_HEIGHT <= scrollTop + clientHeight;
    if (!isSeen) this.#scrollTo(first * ROW_HEIGHT - clientHeight / 3);
    return true;
  }

  /** The offset of what stands at the top. */
  topOffset() {
    const row = Math.ceil(this.#scroller.scrollTop / ROW_HEIGHT);
    return this.#points.point(this.#rows.starts[Math.min(row, this.#rows.starts.length - 1)]);
  }

  /** Scrolls so that an offset stands at the top. */
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
      const wasAsked = this.#scrolledTo === scroller.scrollTop;
      this.#scrolledTo = null;
      if (!wasAsked) this.#handlers.onScroll?.(this.topOffset());
    });
    scroller.addEventListener("pointerdown", () => this.#caret.hide());
    scroller.addEventListener("click", (event) => this.#click(event));
    scroller.addEventListener("keydown", (event) => this.#key(event));
    scroller.addEventListener("dragstart", (event) => event.preventDefault());
    scroller.addEventListener("copy", (event) => {
      const units = this.#selected();
      if (!units) return;
      event.clipboardData.setData("text/plain", this.#text.slice(...units));
      event.preventDefault();
    });
    document.addEventListener("selectionchange", () => {
      cancelAnimationFrame(this.#waiting);
      this.#waiting = requestAnimationFrame(() => this.#tellSelection());
    });
    new ResizeObserver(() => this.#cut()).observe(scroller);
  }

  /** Tells what is selected here, and once that nothing is any more. */
  #tellSelection() {
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
    const found = document.caretPositionFromPoint(clientX, clientY);
    const unit = found && this.#unitOf(found.offsetNode, found.offset);
    if (unit === null) return;
    const mark = this.#marks.at(this.#points.point(unit));
    if (mark) this.#handlers.onMarkClick?.(mark.id);
  }

  /** Cuts the text into rows for the width that there is; what stood at the top stays there. */
  #cut() {
    const top = this.topOffset();
    const units = this.#selected();
    this.#rows = rowsOf(this.#text, this.#columns());
    this.#sheet.replaceChildren();
    this.#made.clear();
    this.#sheet.style.height = `${this.#rows.starts.length * ROW_HEIGHT}px`;
    this.scrollToOffset(top);
    this.#render();
    if (units) this.select(this.#points.point(units[0]), this.#points.point(units[1]));
  }

  /** How many signs fit into a row. */
  #columns() {
    const probe = document.createElement("div");
    probe.className = "source-row";
    probe.style.width = "max-content";
    probe.textContent = "x".repeat(100);
    this.#sheet.append(probe);
    const padding = parseFloat(getComputedStyle(probe).paddingLeft);
    const sign = (probe.getBoundingClientRect().width - padding) / 100;
    probe.remove();
    return Math.max(Math.floor((this.#scroller.clientWidth - padding) / sign) - 1, LEAST_COLUMNS);
  }

  /** Makes the rows that are near what is seen, and others that are needed. */
  #render(needed = []) {
    const { scrollTop, clientHeight } = this.#scroller;
    const margin = MARGIN * clientHeight;
    const first = Math.max(Math.floor((scrollTop - margin) / ROW_HEIGHT), 0);
    const last = Math.ceil((scrollTop + clientHeight + margin) / ROW_HEIGHT);
    const wanted = new Set([...needed, ...this.#selectedRows()]);
    for (let row = first; row < Math.min(last, this.#rows.starts.length); row++) wanted.add(row);
    const kept = [];
    for (const [row, element] of this.#made) {
      if (wanted.has(row)) kept.push(row);
      else {
        element.remove();
        this.#made.delete(row);
      }
    }
    if (kept.length === wanted.size) return;
    let next = null;
    for (const row of [...wanted].sort((one, other) => other - one)) {
      if (!this.#made.has(row)) this.#sheet.insertBefore(this.#make(row), next);
      next = this.#made.get(row);
    }
    this.#paint();
  }

  #make(row) {
    const element = document.createElement("div");
    element.className = "source-row";
    element.style.top = `${row * ROW_HEIGHT}px`;
    if (this.#rows.lines[row]) element.dataset.line = this.#rows.lines[row];
    element.append(document.createTextNode(this.#text.slice(...this.#bounds(row))));
    this.#made.set(row, element);
    return element;
  }

  #bounds(row) {
    return [this.#rows.starts[row], this.#rows.starts[row + 1] ?? this.#text.length];
  }

  /** Paints markup and marks on the rows that are in the DOM. */
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

  /** The units of the text that are in the DOM, as starts and ends. */
  #parts() {
    const numbers = [...this.#made.keys()].sort((one, other) => one - other);
    return runs(numbers).map(([first, last]) => [this.#bounds(first)[0], this.#bounds(last)[1]]);
  }

  /** Tags that follow each other are painted as one: each range costs the browser time. */
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
      if (token.kind === "tag") attributesOf(this.#text, token).forEach((one) => this.#addSyntax(one));
    }
    if (tags) this.#addSyntax(tags);
  }

  #addSyntax({ start, end, kind }) {
    for (const range of this.#rangesOf(start, end)) this.#syntax.get(kind).add(range);
  }

  /** What of some units is in the DOM. */
  #rangesOf(start, end) {
    const ranges = [];
    const last = this.#rowOf(Math.max(end - 1, start));
    for (const [row, element] of this.#madeBetween(this.#rowOf(start), last)) {
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

  #madeBetween(first, last) {
    if (last - first > this.#made.size) {
      return [...this.#made].filter(([row]) => first <= row && row <= last);
    }
    const found = [];
    for (let row = first; row <= last; row++) {
      const element = this.#made.get(row);
      if (element) found.push([row, element]);
    }
    return found;
  }

  #rowOf(unit) {
    return lastAtMost(this.#rows.starts, unit);
  }

  /** The unit of a point of the DOM; null where that is elsewhere. */
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
    const row = this.#made.get(Math.ceil(this.#scroller.scrollTop / ROW_HEIGHT));
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

/** Ordered numbers as pairs of the first and last of those that follow each other. */
function runs(numbers) {
  const found = [];
  for (const number of numbers) {
    if (found.at(-1)?.[1] === number - 1) found.at(-1)[1] = number;
    else found.push([number, number]);
  }
  return found;
}
