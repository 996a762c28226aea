/** What the studio tells a person: messages that go, and banners that stay while they are true. */
import { fill, h } from "./dom.js";

const SHOWN = { good: 4000, warning: 9000, error: 15000 };

export class Messages {
  constructor(list, banner) {
    this.list = list;
    this.banner = banner;
  }

  /** Tell something; `action` is a button's `{text, do}`. */
  tell(text, kind = "good", action = null) {
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

  /** Show what holds until it is told otherwise. */
  hold(text, ...buttons) {
    if (this.held === text) return;
    this.held = text;
    this.banner.hidden = !text;
    fill(this.banner, h("span", {}, text ?? ""), ...buttons);
  }
}
