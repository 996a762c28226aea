/** Messages to the person: short ones that disappear, and a banner that stays as long as it is true. */
import { fill, h } from "./dom.js";

/** How long a message is shown, in milliseconds. */
const SHOWN = { good: 4000, warning: 9000, error: 15000 };

export class Messages {
  constructor(list, banner) {
    this.list = list;
    this.banner = banner;
  }

  /** Show a message; `action` is a button's `{text, do}`. */
  show(text, kind = "good", action = null) {
    const close = () => message.remove();
    const message = h(
      "div",
      { class: `message ${kind}` },
      h("span", {}, text),
      action && h("button", { type: "button", class: "link", onclick: () => (action.do(), close()) }, action.text),
      h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, "×"),
    );
    this.list.append(message);
    while (this.list.children.length > 4) this.list.firstChild.remove();
    setTimeout(close, SHOWN[kind]);
  }

  /** Remove good news: they belong to the screen on which they came. */
  clear() {
    for (const message of this.list.querySelectorAll(".good")) message.remove();
  }

  /** Show a banner until another replaces it; null removes it. */
  showBanner(text, ...buttons) {
    if (this.bannerText === text) return;
    this.bannerText = text;
    this.banner.hidden = !text;
    fill(this.banner, h("span", {}, text ?? ""), ...buttons);
  }
}
