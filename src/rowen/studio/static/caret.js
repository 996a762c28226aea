/** Selects text with the keyboard where nothing can be edited: browsers show no caret there. */

const MOVES = {
  ArrowLeft: ["left", "character", "word"],
  ArrowRight: ["right", "character", "word"],
  ArrowUp: ["backward", "line", "paragraph"],
  ArrowDown: ["forward", "line", "paragraph"],
  Home: ["backward", "lineboundary", "documentboundary"],
  End: ["forward", "lineboundary", "documentboundary"],
};

/** A caret that arrow keys move. Until one of them has placed it, up and down scroll as usual. */
export class Caret {
  #document;
  #highlight;
  #place;
  #reveal;
  #active = false;

  /**
   * @param {Document} document
   * @param {string} name of the highlight that shows the caret
   * @param {(selection: Selection) => boolean} place puts the selection where the caret starts; false if nowhere
   * @param {(range: Range) => void} reveal scrolls to the caret
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

  /** Remove the caret, for example after a click. */
  hide() {
    this.#active = false;
    this.#highlight.clear();
  }

  /** Handle a key; returns whether it moved the caret. */
  key(event) {
    const move = MOVES[event.key];
    if (!move || event.altKey || event.metaKey) return false;
    const [direction, step, leap] = move;
    if (!this.#active && !event.shiftKey && step !== "character") return false;
    const selection = this.#document.getSelection();
    if (!this.#isPlaced(selection) && !this.#place(selection)) return false;
    this.#active = true;
    selection.modify(event.shiftKey ? "extend" : "move", direction, event.ctrlKey ? leap : step);
    this.#show(selection);
    return true;
  }

  #isPlaced(selection) {
    return selection.rangeCount > 0 && (this.#active || !selection.isCollapsed);
  }

  /** Highlight the character after the caret: CSS highlights can't style the gap between two characters. */
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
