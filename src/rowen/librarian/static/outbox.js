/**
 * Files on their way to the server.
 *
 * They are first kept in the browser's database, then sent. So a tab may be closed while it sends: what has not
 * arrived goes on when the library is opened again. What has arrived is read by the server without any tab.
 */
import * as api from "./api.js";

const NAME = "rowen-outbox";
const FILES = "files";
/** Files that are sent at once. */
const SENDERS = 3;
/** Between attempts where the server is gone or full, in milliseconds. */
const WAITS = [1000, 2000, 4000, 8000];
/** Answers after which another attempt may succeed. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);

export class Outbox {
  /** @param {{changed(state)}} callbacks called with `{waiting, sending, done, refused}` */
  constructor({ changed }) {
    this.changed = changed;
    this.last = 0; // keys below zero are those of the memory
    this.memory = new Map(); // where the browser has no room or no database
    this.sending = new Map();
    this.refused = [];
    this.waiting = 0;
    this.done = 0;
    this.problem = null;
    addEventListener("beforeunload", (event) => this.memory.size && event.preventDefault());
  }

  /** Go on with what is left of an earlier visit. */
  async start() {
    this.database = await open().catch(() => null);
    this.waiting = (await this.#keys()).length;
    if (this.waiting) this.#send();
  }

  /** Keep files and send them. */
  async put(files) {
    for (const file of files) {
      try {
        if (!this.database) throw new Error("no database");
        await finished(this.database.transaction(FILES, "readwrite").objectStore(FILES).add({ file, name: file.name }));
      } catch {
        this.memory.set(--this.last, { file, name: file.name });
      }
      this.waiting++;
    }
    this.#tell();
    this.#send();
  }

  /** Forget what was refused. */
  clear() {
    this.refused = [];
    this.#tell();
  }

  async #keys() {
    const stored = this.database ? await finished(this.database.transaction(FILES).objectStore(FILES).getAllKeys()) : [];
    return [...stored, ...this.memory.keys()];
  }

  /** Send all files; of several tabs only one does so. */
  async #send() {
    if (this.busy) return;
    this.busy = true;
    try {
      if (navigator.locks) await navigator.locks.request(NAME, () => this.#sendAll());
      else await this.#sendAll();
    } finally {
      this.busy = false;
      this.#tell();
    }
  }

  async #sendAll() {
    for (;;) {
      const keys = await this.#keys();
      this.waiting = keys.length;
      if (!keys.length) return;
      const next = keys.values();
      await Promise.all(Array.from({ length: SENDERS }, () => this.#sendSome(next)));
    }
  }

  async #sendSome(keys) {
    for (const key of keys) {
      const kept = this.memory.get(key) ?? (await finished(this.database.transaction(FILES).objectStore(FILES).get(key)));
      if (!kept) continue;
      this.sending.set(key, kept.name);
      this.#tell();
      await this.#deliver(kept);
      this.sending.delete(key);
      if (!this.memory.delete(key)) await finished(this.database.transaction(FILES, "readwrite").objectStore(FILES).delete(key));
      this.waiting--;
      this.done++;
      this.#tell();
    }
  }

  /** Send a file until the server has taken or refused it. */
  async #deliver({ file, name }) {
    for (let attempt = 0; ; attempt++) {
      try {
        const { skipped } = await api.add(file, name);
        for (const one of skipped) this.refused.push({ name: `${name}: ${one.name}`, reason: one.reason });
        this.problem = null;
        return;
      } catch (error) {
        if (!(error instanceof api.Unreachable) && !TRANSIENT.has(error.status)) {
          this.refused.push({ name, reason: error.message });
          return;
        }
        this.problem = error.message;
        this.#tell();
        await new Promise((resolve) => setTimeout(resolve, WAITS[Math.min(attempt, WAITS.length - 1)]));
      }
    }
  }

  #tell() {
    const { waiting, done, refused, problem } = this;
    this.changed({ waiting, done, refused, problem, sending: [...this.sending.values()] });
  }
}

function open() {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(FILES, { autoIncrement: true });
  return finished(opening);
}

/** The result of a request to the database. */
function finished(asked) {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
