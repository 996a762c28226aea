/** Tells a window when a project changes on the server, such as by another window. */
import * as api from "./api.js";

/** Between attempts to connect, in milliseconds. */
const WAIT = 1000;

export class Changes {
  /**
   * @param {string} project
   * @param {{changed(revision), gone()}} callbacks
   */
  constructor(project, callbacks) {
    this.project = project;
    this.callbacks = callbacks;
    this.control = null;
    // Browsers allow few connections to a server: windows that nobody sees have none.
    this.seen = () => (document.hidden ? this.#disconnect() : this.#connect());
    document.addEventListener("visibilitychange", this.seen);
    this.seen();
  }

  close() {
    document.removeEventListener("visibilitychange", this.seen);
    this.#disconnect();
  }

  #disconnect() {
    this.control?.abort();
    this.control = null;
  }

  async #connect() {
    if (this.control) return;
    const control = (this.control = new AbortController());
    while (!control.signal.aborted) {
      try {
        await this.#read(control.signal);
      } catch (error) {
        if (error.status === 404) return;
        // The server is gone for a moment, or the window is closed.
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  }

  async #read(signal) {
    const reader = (await api.events(this.project, signal)).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const event of events) this.#handle(event);
    }
  }

  #handle(event) {
    if (event.startsWith("event: gone")) this.callbacks.gone();
    else if (event.startsWith("data: ")) this.callbacks.changed(Number(event.slice(6)));
  }
}
