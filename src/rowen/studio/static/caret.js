/** Selecting text by keys where nothing can be edited, so that browsers show no caret. */

const MOVES = {
  ArrowLeft: ["left", "character", "word"],
  ArrowRight: ["right", "character", "word"],
  ArrowUp: ["backward", "line", "paragraph"],
  ArrowDown: ["forward", "line", "paragraph"],
  Home: ["backward", "lineboundary", "documentboundary"],
  End: ["forward", "lineboundary", "documentboundary"],
};

/** A caret in a document that is moved by arrow keys; up and down scroll until it is there. */
export class Caret {
  #document;
  #highlight;
  #place;
  #reveal;
  #active = false;

  /**
   * @param {Document} document
   * @param {string} name of the highlight that shows it
   * @param {(selection: Selection) => boolean} place puts the selection where the caret may start
   * @param {(range: Range) => void} reveal scrolls to it
   */
  constructor(document, name, { place, reveal }) {
    this.#document = document;
    this.#place = place;
    this.#reveal = reveal;
    const window = document.defaultView;
    this.#highlight = new window.Highlight();
    this.#highlight.priority = 100;
    window.CSS.highlights.set(name, this.#highlight);
  }

  /** Takes it away, as a click does. */
  hide() {
    this.#active = false;
    this.#highlight.clear();
  }

  /** Whether a key moved the caret. */
  key(event) {
    const move = MOVES[event.key];
    if (!move || event.altKey || event.metaKey) return false;
    const [direction, little, much] = move;
    if (!this.#active && !event.shiftKey && little !== "character") return false;
    const selection = this.#document.getSelection();
    if (!this.#isPlaced(selection) && !this.#place(selection)) return false;
    this.#active = true;
    selection.modify(event.shiftKey ? "extend" : "move", direction, event.ctrlKey ? much : little);
    this.#show(selection);
    return true;
  }

  #isPlaced(selection) {
    return selection.rangeCount > 0 && (this.#active || !selection.isCollapsed);
  }

  /** The character after the caret: browsers let one style no place between two. */
  #show(selection) {
    this.#highlight.clear();
    const { focusNode, focusOffset } = selection;
    const range = this.#document.createRange();
    range.setStart(focusNode, focusOffset);
    if (focusNode.nodeType === Node.TEXT_NODE && focusOffset < focusNode.length) {
      range.setEnd(focusNode, focusOffset + 1);
      if (selection.isCollapsed) this.#highlight.add(range);
    }
    this.#reveal(range);
  }
}
