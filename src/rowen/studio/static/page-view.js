/**
 * Shows a page as browsers do, in a frame that can't run scripts, load anything, submit or navigate. A
 * selection in it is reported as a span of the page's source.
 */

import { Caret } from "./caret.js";
import { DATA, dataList, DATA_RULES } from "./data-list.js";
import { Highlights, Marks, fixedRules, rulesOf } from "./marks.js";
import { Places } from "./offsets.js";
import { targetAt, targetElements, targetOf } from "./targets.js";
import { DEFAULTS, elementOf, FOLDING, LOOSE, PLAIN, POLICY, setAttributes, withFiles } from "./page-styles.js";

const PREFIX = "rowen-";
/**
 * Important rules of the first layer win over all rules of the page, important ones too. The layer has no
 * name, so that the page can't add to it.
 */
const RULES = `
  * { animation: none; transition: none; -webkit-user-select: text;
      user-select: text; pointer-events: auto; }
  html, body { display: block; position: static; overflow: visible; height: auto; max-height: none;
               opacity: 1; visibility: visible; }
  ${FOLDING}
  ${DATA_RULES}
  ::selection { background-color: #2f6fde; color: #fff; }
  ::highlight(${PREFIX}caret) { background-color: #111; color: #fff; }
  ${rulesOf(PREFIX)}`;
const FRAME = `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
</head><body></body></html>`;
/** This many pixels below the window's edge is taken as its top. */
const TOP = 4;
/** How many marks are painted at least before and after those in sight. */
const NEAR = 150;

const EVERYWHERE = { start: 0, end: Infinity };

export class PageView {
  #handlers;
  #frame;
  #ready;
  /** The images and fonts of the page, as `data:` URLs. */
  #files = [];
  #nodes = [];
  #numbers = new Map();
  #places = new Places([]);
  #marks = new Marks([]);
  /** The part of the source in sight, and the scroll position that it belongs to. */
  #sight = null;
  /** The part of the source whose marks are painted. */
  #painted = EVERYWHERE;
  #highlights;
  #caret;
  #scrolledTo = null;
  #waiting = 0;
  /** The last event of the mouse, the element that is pointed at, and the frame in which it is reported. */
  #pointer = null;
  #pointed = null;
  #pointing = null;

  /**
   * @param {HTMLElement} container
   * @param {object} handlers all of them optional
   * @param {(span: {start: number, end: number} | null) => void} [handlers.onSelect]
   * @param {(id: string) => void} [handlers.onMarkClick]
   * @param {(target: import("./targets.js").Target | null) => void} [handlers.onPoint] the mouse is at another element
   * @param {(target: import("./targets.js").Target | null) => void} [handlers.onPick] a click that selects nothing
   * @param {() => void} [handlers.onRepeat] a double click: the first click of it was not meant
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

  /** Show a page: `view` is the response of `GET .../pages/PAGE/view`. */
  async show(view) {
    await this.#ready;
    this.#caret.hide();
    this.setMarks([]);
    this.#frame.title = view.title ? `Page: ${view.title}` : "Page";
    this.#files = view.files ?? [];
    this.#style(view);
    const texts = [];
    this.#nodes = [];
    this.#numbers = new Map();
    const page = this.#document;
    page.querySelector(`:root > ${DATA}`)?.remove();
    const list = dataList(view.data);
    const first = list && view.data.bare ? this.#make(list, texts) : null;
    const body = this.#make(view.tree, texts);
    const last = list && !first ? this.#make(list, texts) : null;
    this.#places = new Places(texts);
    page.body.replaceWith(body);
    if (first) body.before(first);
    if (last) body.after(last);
    this.#sight = null;
    this.#scrollTo(0);
  }

  /** Show these marks and no others. @param {import("./marks.js").Mark[]} marks */
  setMarks(marks) {
    this.#marks = new Marks(marks);
    this.#paint();
  }

  /** The span in the source of the selection, without white space at its ends unless `exact`; or null. */
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

  /** Where the selection ends in the studio's window; or null. */
  selectionBox() {
    const selection = this.#document.getSelection();
    const line = selection?.rangeCount ? [...selection.getRangeAt(0).getClientRects()].at(-1) : null;
    const { left, top } = this.#frame.getBoundingClientRect();
    return line ? new DOMRect(left + line.x, top + line.y, line.width, line.height) : null;
  }

  /** Select a span of the source, as far as the page shows it. */
  select(start, end) {
    const ranges = this.#places.units(start, end);
    if (ranges.length === 0) return;
    const [first, last] = [ranges[0], ranges.at(-1)];
    const selection = this.#document.getSelection();
    selection.setBaseAndExtent(
      ...[this.#nodes[first.text], first.from, this.#nodes[last.text], last.to],
    );
  }

  clearSelection() {
    this.#caret?.hide();
    this.#document.getSelection().removeAllRanges();
  }

  /** Scroll to where a span of the source is shown, or to what follows it; returns whether the span is shown. */
  reveal(start, end) {
    this.#unfold(start, end);
    const inSpan = this.#places.units(start, end).find(({ text }) => this.#isShown(text));
    const shown = inSpan ?? this.#shownFrom(this.#places.pointAt(start));
    if (!shown) return false;
    const { text, from = shown.unit, to = from + 1 } = shown;
    this.#reveal(this.#rangeOf(text, from, to));
    this.#scrolledTo = this.#window.scrollY;
    return Boolean(inSpan);
  }

  /** Whether the page shows a span of the source, as far as it is not folded. */
  isShown(start, end) {
    return this.#places.units(start, end).some(({ text }) => this.#isShown(text));
  }

  /** The offset in the source of what is at the top of the window. */
  topOffset() {
    const width = this.#document.documentElement.clientWidth;
    for (const share of [0.1, 0.5, 0.8]) {
      const offset = this.#offsetAt(width * share, TOP);
      if (offset !== null) return offset;
    }
    return 0;
  }

  /** Scroll so that an offset of the source is at the top of the window. */
  scrollToOffset(offset) {
    const shown = this.#shownFrom(this.#places.pointAt(offset));
    if (!shown) return;
    const { top } = this.#rangeOf(shown.text, shown.unit).getBoundingClientRect();
    this.#scrollTo(this.#window.scrollY + top - TOP);
  }

  /** Show what is folded around a span of the source. */
  #unfold(start, end) {
    for (const { text } of this.#places.units(start, end)) {
      let folded = this.#nodes[text].parentElement;
      while ((folded = folded?.closest("[data-rowen-folded]:not([data-rowen-open])"))) folded.setAttribute("data-rowen-open", "");
    }
  }

  /** Open the list of the values in the page's data, and go to it. */
  showData() {
    const list = this.#document.querySelector(`:root > ${DATA}`);
    list?.querySelector("[data-rowen-folded]")?.setAttribute("data-rowen-open", "");
    list?.scrollIntoView({ block: "start", behavior: "instant" });
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
    page.addEventListener("selectionchange", () => this.#reportSelection());
    page.addEventListener("pointerdown", () => this.#caret.hide());
    // Firefox may leave the focus in an input of the studio, which would then take the keys.
    page.addEventListener("pointerdown", () => this.focus());
    page.addEventListener("click", (event) => this.#click(event));
    page.addEventListener("pointermove", (event) => this.#move(event));
    page.documentElement.addEventListener("pointerleave", (event) => this.#handlers.onLeave?.(event));
    page.addEventListener("scroll", () => this.#reportScroll());
    page.addEventListener("scroll", () => this.#frame.dispatchEvent(new Event("page-scrolled", { bubbles: true })), { capture: true });
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

  #style({ styles, root = {}, plain = false, loose = false }) {
    const page = this.#document;
    const html = page.documentElement;
    for (const name of html.getAttributeNames()) html.removeAttribute(name);
    setAttributes(html, root, this.#files);
    const rules = `@layer { ${fixedRules(loose ? RULES + LOOSE : RULES, this.#frame)} } @layer { ${DEFAULTS} ${plain ? PLAIN : ""} }`;
    page.head.querySelectorAll("style").forEach((style) => style.remove());
    for (const { css, media } of [{ css: rules, media: "" }, ...styles]) {
      const style = page.createElement("style");
      if (media) style.media = media;
      style.textContent = withFiles(css, this.#files);
      page.head.append(style);
    }
  }

  /** The DOM node of a node of the view, with its children; texts are collected in their order. */
  #make(view, texts) {
    const page = this.#document;
    if (!Array.isArray(view)) {
      const node = page.createTextNode(view.x);
      this.#numbers.set(node, texts.length);
      this.#nodes.push(node);
      texts.push(view);
      return node;
    }
    const element = elementOf(page, view, this.#files);
    for (let at = 2; at < view.length; at++) element.appendChild(this.#make(view[at], texts));
    return element;
  }

  /** A point of the DOM as a point of a text: the point itself, or the first that follows it. */
  #pointOf(node, offset) {
    const number = this.#numbers.get(node);
    if (number !== undefined) return { text: number, unit: offset };
    let next = node.childNodes[offset] ?? following(node);
    while (next && !this.#numbers.has(next)) next = next.firstChild ?? following(next);
    return { text: next ? this.#numbers.get(next) : this.#places.length, unit: 0 };
  }

  /**
   * Paint the marks in sight and about as many before and after them, not all: at each change the
   * browser goes through all highlights.
   */
  #paint() {
    const sight = this.#marks.length > 2 * NEAR ? this.#inSight() : null;
    this.#painted = sight ? this.#marks.around(sight, this.#margin(sight)) : EVERYWHERE;
    const { start, end } = this.#painted;
    const rangesOf = (mark) => this.#rangesOf(mark.start, mark.end);
    this.#highlights?.paint(this.#marks.within(start, end), rangesOf, Boolean(sight));
  }

  /** Paint what may have come into sight. If an inner element has scrolled, the window's position does not show it. */
  #moved(inside) {
    if (inside) this.#sight = null;
    this.#paintFurther();
  }

  /** Paint again before the sight reaches the end of what is painted. */
  #paintFurther() {
    if (this.#painted === EVERYWHERE) return;
    const sight = this.#inSight();
    if (!sight) return;
    const near = this.#marks.around(sight, this.#margin(sight) >> 1);
    if (near.start < this.#painted.start || near.end > this.#painted.end) this.#paint();
  }

  #margin({ start, end }) {
    return Math.max(NEAR, this.#marks.count(start, end));
  }

  /**
   * The span of the source in sight, from the offsets at nine points of the window; or null. It is
   * cached until something scrolls, because asking for it forces the browser to lay the page out.
   */
  #inSight() {
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

  /** The offset in the source of what is at a point of the window; or null. */
  #offsetAt(x, y) {
    const position = this.#document.caretPositionFromPoint(x, y);
    if (!position || position.offsetNode === this.#document.body) return null;
    return this.#places.offsetOf(this.#pointOf(position.offsetNode, position.offset));
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

  /** A point if it is shown, else the first shown point after it. */
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
    if (this.#isInSight(range, holder)) return;
    holder.scrollIntoView({ block: "nearest", inline: "nearest" }); // scrolls the inner elements that have scroll bars of their own
    const { top } = range.getBoundingClientRect();
    this.#window.scrollBy({ top: top - this.#window.innerHeight / 3, behavior: "instant" });
  }

  #isInSight(range, holder) {
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

  #reportSelection() {
    cancelAnimationFrame(this.#waiting);
    this.#waiting = requestAnimationFrame(() => this.#handlers.onSelect?.(this.selection()));
  }

  /** Report scrolling by the person only. Two views that follow each other would never come to rest otherwise. */
  #reportScroll() {
    const isOurs = this.#scrolledTo === this.#window.scrollY;
    this.#scrolledTo = null;
    if (!isOurs) this.#handlers.onScroll?.(this.topOffset());
  }

  /** Point at the next or previous element that can be marked, for people without a mouse. */
  pointOn(by) {
    const elements = [...targetElements(this.#document)];
    const at = elements.indexOf(this.#pointed);
    const element = elements[at < 0 ? this.#firstInSight(elements) : at + by];
    if (!element) return;
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#pointed = element;
    this.#handlers.onPoint?.(targetOf(element, (range) => this.#spanOf(range)));
  }

  /** Where the page's window is in the studio's. */
  get box() {
    return this.#frame.getBoundingClientRect();
  }

  #firstInSight(elements) {
    return Math.max(0, elements.findIndex((element) => element.getBoundingClientRect().top >= 0));
  }

  /** The span in the source of what a range shows, without white space at its ends; or null. */
  #spanOf(range) {
    const first = this.#pointOf(range.startContainer, range.startOffset);
    const last = this.#pointOf(range.endContainer, range.endOffset);
    const trimmed = this.#places.trim(first, last, (number) => this.#isShown(number));
    return trimmed && this.#places.hull(...trimmed);
  }

  #target({ clientX, clientY }) {
    return targetAt(this.#document, clientX, clientY, (range) => this.#spanOf(range));
  }

  /** Report what the mouse points at, once per frame; not while a selection is dragged. */
  #move(event) {
    if (event.buttons || !this.#handlers.onPoint) return;
    this.#pointing ??= requestAnimationFrame(() => {
      this.#pointing = null;
      this.#pointed = this.#document.elementFromPoint(this.#pointer.clientX, this.#pointer.clientY);
      this.#handlers.onPoint(this.#target(this.#pointer));
    });
    this.#pointer = event;
  }

  /** A click on a frame of a frameset: it is a page of its own. */
  #openFrame(element) {
    const detail = element.getAttribute("data-rowen-frame");
    this.#frame.dispatchEvent(new CustomEvent("open-frame", { bubbles: true, detail }));
  }

  #click(event) {
    if (event.detail === 2) this.#handlers.onRepeat?.();
    if (!this.#document.getSelection().isCollapsed) return;
    const { target } = event;
    if (target.hasAttribute?.("data-rowen-frame")) return this.#openFrame(target);
    // A click on the line that stands for a folded element has the element itself as its target.
    if (target.hasAttribute?.("data-rowen-folded")) return void target.toggleAttribute("data-rowen-open");
    const mark = this.#markAt(event);
    if (mark) this.#handlers.onMarkClick?.(mark.id);
    else if (event.detail < 2) this.#handlers.onPick?.(this.#target(event));
  }

  /** The mark at a point of the window; or null. */
  #markAt({ clientX, clientY }) {
    const position = this.#document.caretPositionFromPoint(clientX, clientY);
    const text = this.#numbers.get(position?.offsetNode);
    if (text === undefined) return null;
    // The position is the gap nearest to the click: the character may be on either side of it.
    for (const unit of [position.offset, position.offset - 1]) {
      const span = unit < 0 ? null : this.#places.span(text, unit, unit + 1);
      if (!span || !isAt(this.#rangeOf(text, unit), clientX, clientY)) continue;
      const mark = this.#marks.at(span.start);
      if (mark) return mark;
    }
    return null;
  }
}

/** The node that follows a node and all its descendants. */
function following(node) {
  for (let at = node; at; at = at.parentNode) if (at.nextSibling) return at.nextSibling;
  return null;
}

/** Whether a range covers a point of the window. */
function isAt(range, x, y) {
  return [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
  );
}
