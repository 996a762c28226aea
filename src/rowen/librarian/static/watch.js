/** Tells a window each change of the queue on the server. */
import * as api from "./api.js";

/** Between attempts to connect, in milliseconds. */
const WAIT = 1000;

export class Watch {
  /** @param {{changed(state), lost()}} callbacks */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.control = null;
    // Browsers allow few connections to a server: windows that nobody sees have none.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#stop() : this.start()));
    addEventListener("pagehide", () => this.#stop());
  }

  async start() {
    if (this.control) return;
    const control = (this.control = new AbortController());
    while (!control.signal.aborted) {
      try {
        await this.#read(control.signal);
      } catch (error) {
        if (error.status === 401) {
          this.#stop();
          return;
        }
        if (!control.signal.aborted) this.callbacks.lost();
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  }

  #stop() {
    this.control?.abort();
    this.control = null;
  }

  async #read(signal) {
    const reader = (await api.events(signal)).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const event of events) if (event.startsWith("data: ")) this.callbacks.changed(JSON.parse(event.slice(6)));
    }
  }
}
