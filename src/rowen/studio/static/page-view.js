/**
 * A page as browsers show it, in a frame that can run, load, submit and leave nothing. What is
 * selected in it is told as a span of the page's source.
 */

import { Caret } from "./caret.js";
import { Highlights, Marks, fixedRules, rulesOf } from "./marks.js";
import { Places } from "./offsets.js";

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const PREFIX = "rowen-";
/** The first layer's important rules win against all that a page can say; it can't be named. */
const RULES = `
  * { color-scheme: only light; animation: none; transition: none; -webkit-user-select: text;
      user-select: text; pointer-events: auto; }
  html, body { display: block; position: static; overflow: visible; height: auto; max-height: none;
               opacity: 1; visibility: visible; }
  ::selection { background-color: #2f6fde; color: #fff; }
  ::highlight(${PREFIX}caret) { background-color: #111; color: #fff; }
  ${rulesOf(PREFIX)}`;
const DEFAULTS = `
  html { background: #fff; color: #111; }
  [data-link] { color: #0b57d0; text-decoration: underline; cursor: text; }
  [data-shown]::before { content: attr(data-shown); padding: 0 .3em; border: 1px solid #bbb;
                         border-radius: 3px; color: #555; font-size: .85em; }
  [data-shown=""]::before { content: none; }`;
const FRAME = `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
</head><body></body></html>`;
const TOP = 4;
/** How many marks before and after those that are seen are painted at least. */
const NEAR = 150;

const EVERYWHERE = { start: 0, end: Infinity };

export class PageView {
  #handlers;
  #frame;
  #ready;
  #nodes = [];
  #numbers = new Map();
  #places = new Places([]);
  #marks = new Marks([]);
  /** The part of the source that is seen, at the place to which the window was scrolled. */
  #sight = null;
  /** The part of the source whose marks are painted. */
  #painted = EVERYWHERE;
  #highlights;
  #caret;
  #scrolledTo = null;
  #waiting = 0;

  /**
   * @param {HTMLElement} container
   * @param {object} handlers all of them optional
   * @param {(span: {start: number, end: number} | null) => void} [handlers.onSelect]
   * @param {(id: string) => void} [handlers.onMarkClick]
   * @param {(event: KeyboardEvent) => void} [handlers.onKey]
   * @param {(offset: number) => void} [handlers.onScroll]
   * @param {(event: DragEvent) => void} [handlers.onDrag]
   */
  constructor(container, handlers = {}) {
    this.#handlers = handlers;
    this.#frame = document.createElement("iframe");
    this.#frame.className = "page-view";
    this.#frame.title = "Page";
    this.#frame.setAttribute("sandbox", "allow-same-origin");
    this.#frame.setAttribute("referrerpolicy", "no-referrer");
    this.#frame.srcdoc = FRAME;
    this.#ready = new Promise((resolve) => {
      this.#frame.addEventListener("load", () => resolve(this.#listen()), { once: true });
    });
    container.append(this.#frame);
  }

  /** Shows a page: what `GET .../pages/PAGE/view` answers. */
  async show(view) {
    await this.#ready;
    this.#caret.hide();
    this.setMarks([]);
    this.#frame.title = view.title ? `Page: ${view.title}` : "Page";
    this.#style(view.styles);
    const texts = [];
    this.#nodes = [];
    this.#numbers = new Map();
    const body = this.#make(view.tree, texts);
    this.#places = new Places(texts);
    this.#document.body.replaceWith(body);
    this.#sight = null;
    this.#scrollTo(0);
  }

  /** Shows these marks and no others. @param {import("./marks.js").Mark[]} marks */
  setMarks(marks) {
    this.#marks = new Marks(marks);
    this.#paint();
  }

  /** The source of what is selected, without white space at its ends unless `exact`; or null. */
  selection({ exact = false } = {}) {
    const selection = this.#document.getSelection();
    if (!selection?.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const first = this.#pointOf(range.startContainer, range.startOffset);
    const last = this.#pointOf(range.endContainer, range.endOffset);
    if (exact) return this.#places.hull(first, last);
    const trimmed = this.#places.trim(first, last, (number) => this.#isShown(number));
    return trimmed && this.#places.hull(...trimmed);
  }

  /** Selects a span of the source, as far as the page shows it. */
  select(start, end) {
    const found = this.#places.units(start, end);
    if (found.length === 0) return;
    const [first, last] = [found[0], found.at(-1)];
    const selection = this.#document.getSelection();
    selection.setBaseAndExtent(
      ...[this.#nodes[first.text], first.from, this.#nodes[last.text], last.to],
    );
  }

  clearSelection() {
    this.#caret?.hide();
    this.#document.getSelection().removeAllRanges();
  }

  /** Scrolls to where a span of the source is shown, or to what follows; tells whether it is. */
  reveal(start, end) {
    const found = this.#places.units(start, end).find(({ text }) => this.#isShown(text));
    const shown = found ?? this.#shownFrom(this.#places.pointAt(start));
    if (!shown) return false;
    const { text, from = shown.unit, to = from + 1 } = shown;
    this.#reveal(this.#rangeOf(text, from, to));
    this.#scrolledTo = this.#window.scrollY;
    return Boolean(found);
  }

  /** The place in the source of what stands at the top. */
  topOffset() {
    const width = this.#document.documentElement.clientWidth;
    for (const share of [0.1, 0.5, 0.8]) {
      const offset = this.#offsetAt(width * share, TOP);
      if (offset !== null) return offset;
    }
    return 0;
  }

  /** Scrolls so that a place in the source stands at the top. */
  scrollToOffset(offset) {
    const shown = this.#shownFrom(this.#places.pointAt(offset));
    if (!shown) return;
    const { top } = this.#rangeOf(shown.text, shown.unit).getBoundingClientRect();
    this.#scrollTo(this.#window.scrollY + top - TOP);
  }

  focus() {
    this.#window.focus();
  }

  get #window() {
    return this.#frame.contentWindow;
  }

  get #document() {
    return this.#frame.contentDocument;
  }

  #listen() {
    const page = this.#document;
    this.#highlights = new Highlights(this.#window, PREFIX);
    this.#caret = new Caret(page, `${PREFIX}caret`, {
      place: (selection) => this.#placeCaret(selection),
      reveal: (range) => this.#reveal(range),
    });
    page.addEventListener("selectionchange", () => this.#tellSelection());
    page.addEventListener("pointerdown", () => this.#caret.hide());
    page.addEventListener("click", (event) => this.#click(event));
    page.addEventListener("scroll", () => this.#tellScroll());
    page.addEventListener("scroll", (event) => this.#moved(event.target !== page), { capture: true });
    this.#window.addEventListener("resize", () => this.#moved(true));
    page.addEventListener("keydown", (event) => {
      this.#handlers.onKey?.(event);
      if (!event.defaultPrevented && this.#caret.key(event)) event.preventDefault();
    });
    page.addEventListener("dragover", (event) => this.#handlers.onDrag?.(event));
    for (const name of ["submit", "dragstart", "drop"]) {
      page.addEventListener(name, (event) => event.preventDefault());
    }
  }

  #style(styles) {
    const rules = `@layer { ${fixedRules(RULES, this.#frame)} } @layer { ${DEFAULTS} }`;
    this.#document.head.querySelectorAll("style").forEach((style) => style.remove());
    for (const text of [rules, ...styles]) {
      const style = this.#document.createElement("style");
      style.textContent = text;
      this.#document.head.append(style);
    }
  }

  /** The node of a view, with all below it; texts are remembered in their order. */
  #make(view, texts) {
    const page = this.#document;
    if (!Array.isArray(view)) {
      const node = page.createTextNode(view.x);
      this.#numbers.set(node, texts.length);
      this.#nodes.push(node);
      texts.push(view);
      return node;
    }
    const element = page.createElement(view[0]);
    for (const name in view[1]) element.setAttribute(name, view[1][name]);
    for (let at = 2; at < view.length; at++) element.appendChild(this.#make(view[at], texts));
    return element;
  }

  /** A point of the DOM as one of a text: itself or the first that follows. */
  #pointOf(node, offset) {
    const number = this.#numbers.get(node);
    if (number !== undefined) return { text: number, unit: offset };
    let next = node.childNodes[offset] ?? following(node);
    while (next && !this.#numbers.has(next)) next = next.firstChild ?? following(next);
    return { text: next ? this.#numbers.get(next) : this.#places.length, unit: 0 };
  }

  /**
   * Paints the marks that are seen and about as many before and after them: at each change a
   * browser goes through all that are painted.
   */
  #paint() {
    const seen = this.#marks.length > 2 * NEAR ? this.#seen() : null;
    this.#painted = seen ? this.#marks.around(seen, this.#margin(seen)) : EVERYWHERE;
    const { start, end } = this.#painted;
    const rangesOf = (mark) => this.#rangesOf(mark.start, mark.end);
    this.#highlights?.paint(this.#marks.within(start, end), rangesOf, Boolean(seen));
  }

  /** Something else may be seen now, at the same place of the window, too. */
  #moved(inside) {
    if (inside) this.#sight = null;
    this.#paintFurther();
  }

  /** Paints anew before what is seen comes to the end of what was painted. */
  #paintFurther() {
    if (this.#painted === EVERYWHERE) return;
    const seen = this.#seen();
    if (!seen) return;
    const near = this.#marks.around(seen, this.#margin(seen) >> 1);
    if (near.start < this.#painted.start || near.end > this.#painted.end) this.#paint();
  }

  #margin({ start, end }) {
    return Math.max(NEAR, this.#marks.count(start, end));
  }

  /**
   * From the first to the last place of the source at nine points of the window; or null. It is
   * kept while nothing is scrolled: to ask for it makes the browser paint what has changed.
   */
  #seen() {
    const { scrollX: left, scrollY: top } = this.#window;
    if (this.#sight?.left !== left || this.#sight.top !== top) {
      const { clientWidth, clientHeight } = this.#document.documentElement;
      const shares = [0.05, 0.5, 0.95];
      const offsets = shares
        .flatMap((x) => shares.map((y) => [clientWidth * x, clientHeight * y]))
        .map((point) => this.#offsetAt(...point))
        .filter((offset) => offset !== null);
      const span = offsets.length ? { start: Math.min(...offsets), end: Math.max(...offsets) } : null;
      this.#sight = { left, top, span };
    }
    return this.#sight.span;
  }

  /** The place in the source of what stands at a point of the window; or null. */
  #offsetAt(x, y) {
    const found = this.#document.caretPositionFromPoint(x, y);
    if (!found || found.offsetNode === this.#document.body) return null;
    return this.#places.offsetOf(this.#pointOf(found.offsetNode, found.offset));
  }

  #rangesOf(start, end) {
    return this.#places.units(start, end).map(({ text, from, to }) => {
      const node = this.#nodes[text];
      return new this.#window.StaticRange({
        startContainer: node,
        startOffset: from,
        endContainer: node,
        endOffset: to,
      });
    });
  }

  #rangeOf(text, from, to = from + 1) {
    const node = this.#nodes[text];
    const range = this.#document.createRange();
    range.setStart(node, from);
    range.setEnd(node, Math.min(to, node.length));
    return range;
  }

  #isShown(number) {
    return this.#rangeOf(number, 0, Infinity).getClientRects().length > 0;
  }

  /** A point, or the first one after it that can be seen. */
  #shownFrom(point) {
    if (!point) return null;
    const { text, unit } = point;
    for (let number = text; number < this.#places.length; number++) {
      if (this.#isShown(number)) return { text: number, unit: number === text ? unit : 0 };
    }
    return null;
  }

  #reveal(range) {
    const holder = range.startContainer.parentElement;
    if (this.#isSeen(range, holder)) return;
    holder.scrollIntoView({ block: "nearest", inline: "nearest" }); // within what scrolls by itself
    const { top } = range.getBoundingClientRect();
    this.#window.scrollBy({ top: top - this.#window.innerHeight / 3, behavior: "instant" });
  }

  #isSeen(range, holder) {
    const [{ left, top, right, bottom } = { top: -1 }] = range.getClientRects();
    if (top < 0 || bottom > this.#window.innerHeight) return false;
    return holder.contains(this.#document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  }

  #scrollTo(top) {
    this.#window.scrollTo({ top, behavior: "instant" });
    this.#scrolledTo = this.#window.scrollY;
  }

  #placeCaret(selection) {
    const shown = this.#shownFrom(this.#places.pointAt(this.topOffset()));
    if (shown) selection.collapse(this.#nodes[shown.text], shown.unit);
    return Boolean(shown);
  }

  #tellSelection() {
    cancelAnimationFrame(this.#waiting);
    this.#waiting = requestAnimationFrame(() => this.#handlers.onSelect?.(this.selection()));
  }

  /** Tells of scrolling by people alone, so that two views that follow each other come to rest. */
  #tellScroll() {
    const wasAsked = this.#scrolledTo === this.#window.scrollY;
    this.#scrolledTo = null;
    if (!wasAsked) this.#handlers.onScroll?.(this.topOffset());
  }

  #click({ clientX, clientY }) {
    if (!this.#document.getSelection().isCollapsed) return;
    const found = this.#document.caretPositionFromPoint(clientX, clientY);
    const text = this.#numbers.get(found?.offsetNode);
    if (text === undefined) return;
    for (const unit of [found.offset, found.offset - 1]) {
      const span = unit < 0 ? null : this.#places.span(text, unit, unit + 1);
      if (!span || !isAt(this.#rangeOf(text, unit), clientX, clientY)) continue;
      const mark = this.#marks.at(span.start);
      if (mark) return this.#handlers.onMarkClick?.(mark.id);
    }
  }
}

/** The node after another one and all below it. */
function following(node) {
  for (let at = node; at; at = at.parentNode) if (at.nextSibling) return at.nextSibling;
  return null;
}

/** Whether a point of the window lies in what a range covers. */
function isAt(range, x, y) {
  return [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
  );
}
