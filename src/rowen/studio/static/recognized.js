/** The values that recognizers propose on a page, to be accepted or dropped one by one. */
import { counted, fill, h, kbd } from "./dom.js";
import { Marks } from "./marks.js";
import { spansOf } from "./records.js";

export class Recognized {
  /** @param {{accept(items), drop(item), stop()}} callbacks */
  constructor(container, callbacks) {
    this.container = container;
    this.callbacks = callbacks;
    this.items = [];
    this.at = 0;
  }

  /** @param {{id, field, span, color, text}[]} items  in page order */
  show(items) {
    this.items = items;
    this.at = Math.max(0, Math.min(this.at, items.length - 1));
    const item = this.current;
    this.container.hidden = !item;
    if (!item) return fill(this.container);
    const button = (text, key, action) => h("button", { type: "button", onclick: action }, text, " ", kbd(key));
    return fill(
      this.container,
      h("span", {}, `Recognized ${this.at + 1} of ${items.length}: `, h("q", {}, item.text), " for ", h("b", {}, item.field)),
      button("Accept", "A", () => this.accept()),
      button("Drop", "D", () => this.drop()),
      button(`Accept ${counted(items.length, "value")}`, "⇧A", () => this.acceptAll()),
      h("button", { type: "button", class: "quiet", onclick: () => this.callbacks.stop() }, "Stop"),
    );
  }

  get current() {
    return this.items[this.at];
  }

  accept(id = this.current?.id) {
    const item = this.items.find((candidate) => candidate.id === id);
    if (item) this.callbacks.accept([item]);
  }

  acceptAll() {
    if (this.items.length) this.callbacks.accept(this.items);
  }

  drop() {
    if (this.current) this.callbacks.drop(this.current);
  }
}

/** The recognized spans that overlap no value of the field yet. */
export function unmarked(spans, rows, field) {
  if (spans.length === 0) return [];
  const taken = new Marks(rows.flatMap(({ record }) => spansOf(record[field]).map(([start, end]) => ({ start, end }))));
  return spans.filter(([start, end]) => taken.within(start, end).next().done);
}
