/** What is on its way: files that are sent, and papers that are read. */
import { counted, fillChanged, h } from "../../studio/static/dom.js";

/** Refused files that are listed one by one. */
const LISTED = 50;

export class Progress {
  /** @param {{retry(), clear(), showFailed()}} actions */
  constructor(container, actions) {
    this.container = container;
    this.actions = actions;
    this.sent = { waiting: 0, done: 0, refused: [], sending: [], problem: null };
    this.queue = null;
    this.lost = false;
    this.most = 0;
  }

  setSent(sent) {
    this.sent = sent;
    this.draw();
  }

  setQueue(queue) {
    this.queue = queue;
    this.lost = false;
    this.draw();
  }

  setLost() {
    this.lost = true;
    this.draw();
  }

  draw() {
    const { waiting, sending, refused, problem } = this.sent;
    const queue = this.queue ?? { waiting: 0, ready: 0, failed: 0, reading: [] };
    const left = waiting + queue.waiting;
    this.most = left ? Math.max(this.most, left) : 0;
    const shown = { waiting, sending, refused, problem, queue: { ...queue, revision: 0 }, lost: this.lost, most: this.most };
    this.container.hidden = !left && !refused.length && !queue.failed && !this.lost;
    fillChanged(this.container, shown, () => [
      this.lost && h("p", { class: "warning", role: "status" }, "The server can't be reached. Everything goes on when it is back."),
      left > 0 && this.work(left, waiting, queue),
      queue.failed > 0 &&
        h(
          "p",
          { class: "line" },
          h("span", { class: "failing" }, `${counted(queue.failed, "paper")} can't be read.`),
          h("button", { type: "button", "data-key": "failed", onclick: this.actions.showFailed }, "Show them"),
          h("button", { type: "button", "data-key": "retry", onclick: this.actions.retry }, "Try again"),
        ),
      refused.length > 0 &&
        h(
          "details",
          { open: refused.length < 4 },
          h("summary", {}, `${counted(refused.length, "file")} not taken`),
          h("ul", { class: "plain" }, refused.slice(0, LISTED).map(({ name, reason }) => h("li", {}, h("b", {}, name), `: ${reason}`))),
          h("button", { type: "button", "data-key": "clear", onclick: this.actions.clear }, "Dismiss"),
        ),
    ]);
  }

  work(left, waiting, queue) {
    const { sending, problem } = this.sent;
    const steps = [waiting > 0 && `sending ${waiting.toLocaleString("en")}`, queue.waiting > 0 && `reading ${queue.waiting.toLocaleString("en")}`].filter(Boolean);
    const names = [...sending.map((name) => [name, "sending"]), ...queue.reading.map(({ name }) => [name, "reading"])];
    return [
      h("p", { class: "line", role: "status" }, h("b", {}, `${counted(left, "paper")} to go`), h("span", { class: "quiet" }, steps.join(", "))),
      h("progress", { max: this.most, value: this.most - left, "aria-label": "Papers read" }),
      h("ul", { class: "files" }, names.map(([name, step]) => h("li", {}, h("span", { class: "status busy" }, name || "unnamed"), h("span", { class: "quiet" }, step)))),
      problem && h("p", { class: "warning" }, `Sending waits: ${problem}.`),
      h(
        "p",
        { class: "quiet" },
        waiting > 0
          ? "You may close this tab: what has arrived is read on the server, the rest is sent when you open the library again."
          : "You may close this tab: the papers are read on the server.",
      ),
    ];
  }
}
