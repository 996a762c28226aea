/** Finds text on the page and selects it, so that it can be marked with the keyboard. */
import { h } from "./dom.js";

/** Of so many matches the first one that the page shows is gone to. The head of a page has few more. */
const LOOKED_AT = 200;

export class Finder {
  /** @param {{source(): Source | null, isShown(span), show(span | null), leave(span | null)}} callbacks */
  constructor(container, callbacks) {
    this.container = container;
    this.callbacks = callbacks;
    this.spans = [];
    this.at = 0;
    this.input = h("input", {
      type: "search",
      placeholder: "Find on the page",
      "aria-label": "Find text on the page",
      oninput: () => this.#search(),
      onkeydown: (event) => this.#key(event),
    });
    this.count = h("span", { role: "status" });
    const step = (by, name, sign) => h("button", { type: "button", class: "quiet", "aria-label": name, title: name, onclick: () => this.#go(this.at + by) }, sign);
    const close = h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => this.close() }, "×");
    container.append(this.input, this.count, step(-1, "Previous match (↑)", "↑"), step(1, "Next match (↓)", "↓"), close);
  }

  open() {
    this.container.hidden = false;
    this.input.select();
  }

  close() {
    this.container.hidden = true;
    this.callbacks.leave(this.spans[this.at] ?? null);
    this.spans = [];
  }

  #search() {
    const text = this.input.value;
    const ignoreCase = text === text.toLowerCase(); // who types a capital means it
    this.spans = this.callbacks.source()?.find(text, { ignoreCase }) ?? [];
    // While somebody types, matches in style sheets and scripts must not open the source.
    this.#go(Math.max(0, this.spans.slice(0, LOOKED_AT).findIndex((span) => this.callbacks.isShown(span))));
  }

  #go(number) {
    const total = this.spans.length;
    this.at = total ? (number + total) % total : 0;
    this.count.textContent = !this.input.value ? "" : total ? `${this.at + 1} of ${total}` : "not found";
    this.callbacks.show(this.spans[this.at] ?? null);
  }

  #key(event) {
    if (event.key === "Enter" && this.spans.length) this.close(); // what was found is selected now
    else if (event.key === "ArrowDown" || event.key === "F3") this.#go(this.at + (event.shiftKey ? -1 : 1));
    else if (event.key === "ArrowUp") this.#go(this.at - 1);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
