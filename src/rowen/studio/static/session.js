/**
 * A project as this window sees it: what the server has, and what is still on its way there.
 *
 * All that a person does is shown at once, kept until the server has it (over a reload, too), and
 * sent in order. Where another window was faster, it is done again to the state as it is now.
 */
import * as api from "./api.js";
import { actionFor, applied, Unfit } from "./intents.js";
import { reusing } from "./records.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 4000;

export class Session extends EventTarget {
  /** Fires "change", and "trouble" with a message in `detail`. */
  constructor(state) {
    super();
    this.server = state;
    this.waiting = restored(state.name);
    this.blocked = null;
    this.sending = false;
    this.retry = null;
    this.#show();
    if (this.waiting.length) this.#send();
  }

  /** Want something. */
  do(intent) {
    if (intent.want === "undo" && this.blocked && this.waiting.length) {
      this.waiting.pop();
    } else if (this.blocked && (intent.want === "undo" || intent.want === "redo")) {
      this.#tell("That can't be taken back until the server is there again.");
      return;
    } else {
      this.waiting.push(intent);
    }
    this.#show();
    setTimeout(() => this.#send()); // what is done is seen first
  }

  /** Take a state that the server has told. */
  take(state) {
    if (state.name !== this.server.name || state.revision < this.server.revision) return;
    this.#know(state);
    this.#show();
  }

  /** Ask the server for the state as it is now. */
  async refresh() {
    this.take(await api.project(this.server.name));
  }

  /** Give up what the server does not take. */
  discard() {
    this.waiting.shift();
    this.#show();
    this.retryNow();
  }

  retryNow() {
    clearTimeout(this.retry);
    this.retry = null;
    this.#send();
  }

  close() {
    clearTimeout(this.retry);
    this.closed = true;
  }

  async #send() {
    if (this.sending || this.retry) return;
    this.sending = true;
    let wait = FIRST_WAIT;
    while (this.waiting.length && !this.closed) {
      try {
        await this.#sendFirst();
        wait = FIRST_WAIT;
        if (this.blocked) {
          this.blocked = null;
          this.#tell("The server is there again: everything is saved.", "good");
        }
      } catch (error) {
        if (!(error instanceof api.Unreachable) && !(error.status >= 500)) throw error;
        this.blocked = error instanceof api.Unreachable ? { gone: true } : { reason: error.message };
        this.#show();
        await new Promise((resolve) => {
          this.retry = setTimeout(resolve, wait);
        });
        this.retry = null;
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
      this.#show();
    }
    this.sending = false;
  }

  async #sendFirst() {
    const [intent] = this.waiting;
    const { name, revision } = this.server;
    try {
      if (intent.want === "undo" || intent.want === "redo") {
        this.#know(await api[intent.want](name, revision));
      } else {
        const action = actionFor(intent, this.server);
        if (action) this.#know(await api.act(name, revision, action));
      }
    } catch (error) {
      if (error.status === 409) {
        this.#know(await api.project(name));
        const again = intent.want === "undo" || intent.want === "redo" ? "nothing was undone" : "what you did is done again on top";
        this.#tell(`The project was changed in another window: this is how it is now; ${again}.`);
        if (intent.want === "undo" || intent.want === "redo") this.waiting.shift();
        return;
      }
      if (error instanceof api.Unreachable || error.status >= 500) throw error;
      const reason = error instanceof Unfit || error instanceof api.Problem ? error.message : String(error);
      this.#tell(`That could not be done: ${reason}`);
    }
    this.waiting.shift();
  }

  /** Take a state; what it has in common with the one that is shown stays the same object. */
  #know(state) {
    const { fields, labels: shown } = this.state;
    const labels = {};
    for (const [page, label] of Object.entries(state.labels)) {
      const old = shown[page] ?? label;
      const records = reusing(old.records, label.records);
      labels[page] = records === old.records && label.complete === old.complete ? old : { ...label, records };
    }
    this.server = { ...state, fields: reusing(fields, state.fields), labels };
  }

  #show() {
    keep(this.server.name, this.waiting);
    this.state = this.waiting.reduce((state, intent) => {
      if (intent.want === "undo" || intent.want === "redo") return state;
      try {
        const action = actionFor(intent, state);
        return action ? applied(state, action) : state;
      } catch (error) {
        if (error instanceof Unfit) return state;
        throw error;
      }
    }, this.server);
    this.dispatchEvent(new Event("change"));
  }

  #tell(message, kind = "warning") {
    this.dispatchEvent(new CustomEvent("trouble", { detail: { message, kind } }));
  }
}

function keep(name, waiting) {
  const key = `rowen waiting ${name}`;
  if (waiting.length) sessionStorage.setItem(key, JSON.stringify(waiting));
  else sessionStorage.removeItem(key);
}

function restored(name) {
  return JSON.parse(sessionStorage.getItem(`rowen waiting ${name}`) ?? "[]");
}
