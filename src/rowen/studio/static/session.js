/**
 * A project in this window: the server's state, and the intents that the server does not have yet.
 *
 * Every change is shown at once, kept until the server has it (a reload keeps it, too), and sent in order.
 * If another window was faster, the change is applied to the new state.
 */
import * as api from "./api.js";
import { actionFor, applied, Unfit } from "./intents.js";
import { reusing, same } from "./records.js";

/** Between attempts to send, in milliseconds; doubled after each failure. */
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
    /** What waits for an undo or redo that is on its way. */
    this.later = [];
    this.#show();
    if (this.waiting.length) this.#send();
  }

  /**
   * Run a change that is computed from what is shown. An undo is shown only when the server has answered, so that the
   * change waits for it: it would bring back what is undone.
   */
  soon(change) {
    if (this.#isGoingBack && !this.blocked) this.later.push(change);
    else change();
  }

  get #isGoingBack() {
    return this.waiting.some(({ want }) => want === "undo" || want === "redo");
  }

  /** Carry out an intent: show it at once, then send it. */
  do(intent) {
    if (intent.want === "undo" && this.blocked && this.waiting.length) {
      this.waiting.pop();
    } else if (this.blocked && (intent.want === "undo" || intent.want === "redo")) {
      this.#report("This can't be undone until the server is back.");
      return;
    } else {
      this.waiting.push(intent);
    }
    this.#show();
    setTimeout(() => this.#send()); // later, so that the change is drawn first
  }

  /** Use a state from the server, unless a newer one is known. */
  take(state) {
    if (state.name !== this.server.name || state.revision < this.server.revision) return;
    this.#setServer(state);
    this.#show();
  }

  /** Ask the server for the current state. */
  async refresh() {
    this.take(await api.project(this.server.name));
  }

  /** Discard a change that the server refuses. */
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
          this.#report("The server is back. All changes are saved.", "good");
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
      if (!this.#isGoingBack || this.blocked) for (const change of this.later.splice(0)) change();
    }
    this.sending = false;
  }

  async #sendFirst() {
    const [intent] = this.waiting;
    const { name, revision } = this.server;
    try {
      if (intent.want === "undo" || intent.want === "redo") {
        this.#setServer(await api[intent.want](name, revision));
      } else {
        const action = actionFor(intent, this.server);
        if (action) this.#setServer(await api.act(name, revision, action));
      }
    } catch (error) {
      if (error.status === 409) {
        this.#setServer(await api.project(name));
        const outcome = intent.want === "undo" || intent.want === "redo" ? "nothing was undone" : "your change was applied again";
        this.#report(`The project was changed in another window. This is the current state; ${outcome}.`);
        if (intent.want === "undo" || intent.want === "redo") this.waiting.shift();
        return;
      }
      if (error instanceof api.Unreachable || error.status >= 500) throw error;
      const reason = error instanceof Unfit || error instanceof api.Problem ? error.message : String(error);
      this.#report(`This failed: ${reason}`);
    }
    this.waiting.shift();
  }

  /** Set the server's state. What equals the shown state stays the same object, so that it need not be drawn again. */
  #setServer(state) {
    const { fields, types, labels: shown } = this.state;
    const labels = {};
    for (const [page, label] of Object.entries(state.labels)) {
      const old = shown[page] ?? label;
      const records = reusing(old.records, label.records);
      const rejected = reusing(old.rejected ?? [], label.rejected ?? []);
      const isSame = records === old.records && label.complete === old.complete && rejected === (old.rejected ?? rejected);
      labels[page] = isSame ? old : { ...label, records };
    }
    this.server = { ...state, fields: reusing(fields, state.fields), types: same(types, state.types) ? types : state.types, labels };
  }

  /** Show the server's state with all waiting intents applied to it. */
  #show() {
    store(this.server.name, this.waiting);
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

  #report(message, kind = "warning") {
    this.dispatchEvent(new CustomEvent("trouble", { detail: { message, kind } }));
  }
}

/** Keep the waiting intents in session storage, so that a reload does not lose them. */
function store(name, waiting) {
  const key = `rowen waiting ${name}`;
  if (waiting.length) sessionStorage.setItem(key, JSON.stringify(waiting));
  else sessionStorage.removeItem(key);
}

function restored(name) {
  return JSON.parse(sessionStorage.getItem(`rowen waiting ${name}`) ?? "[]");
}
