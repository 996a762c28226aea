/** Asks what is learned after each change: one question at a time, stale answers are dropped. */
import * as api from "./api.js";
import { reusing } from "./records.js";

const SPINNER_AFTER = 300;
const AGAIN_AFTER = 2000;

export class Learner extends EventTarget {
  /** Fires "change" when proposals, judgement or `busy` changed. */
  constructor(session) {
    super();
    this.session = session;
    this.proposals = null;
    this.judgement = null;
    this.busy = false;
    this.failure = null;
    this.gone = false;
    this.failed = -1;
    this.asking = false;
    this.judging = false;
    session.addEventListener("change", () => this.#ask());
    this.#ask();
  }

  /** Whether the proposals are of the state that is shown. */
  get fresh() {
    return this.proposals?.revision === this.session.server.revision && !this.session.waiting.length;
  }

  async #ask() {
    if (this.asking || this.session.closed) return;
    this.asking = true;
    const spinner = setTimeout(() => this.#set({ busy: true }), SPINNER_AFTER);
    try {
      while (!this.session.closed) {
        const { name, revision } = this.session.server;
        if (revision === this.failed || this.proposals?.revision === revision) break;
        const proposals = this.#known(await api.proposals(name));
        if (proposals.revision < this.session.server.revision) continue;
        clearTimeout(spinner);
        this.#set({ proposals, busy: false, failure: null, gone: false });
        if (proposals.revision > this.session.server.revision) await this.session.refresh();
        this.#judge();
      }
    } catch (error) {
      if (error instanceof api.Problem) {
        this.#set({ failure: error.message, failed: this.session.server.revision });
      } else if (error instanceof api.Unreachable) {
        this.#set({ gone: true });
        setTimeout(() => this.#ask(), AGAIN_AFTER);
      } else {
        throw error;
      }
    } finally {
      clearTimeout(spinner);
      this.asking = false;
      if (this.busy) this.#set({ busy: false });
    }
  }

  /** New proposals, in which records that were proposed before are the same objects. */
  #known(proposals) {
    for (const [page, one] of Object.entries(proposals.pages)) {
      one.records = reusing(this.proposals?.pages[page]?.records ?? [], one.records);
    }
    return proposals;
  }

  /** Ask how certain the pages are, beside what is proposed: that must not wait for it. */
  async #judge() {
    if (this.judging) return;
    this.judging = true;
    try {
      while (!this.session.closed && (this.judgement?.revision ?? -1) < this.proposals.revision) {
        this.#set({ judgement: await api.judgement(this.session.server.name) });
      }
    } catch (error) {
      if (!(error instanceof api.Problem || error instanceof api.Unreachable)) throw error;
      // asked again after the next change; until then no page is said to be certain
    } finally {
      this.judging = false;
    }
  }

  #set(values) {
    Object.assign(this, values);
    this.dispatchEvent(new Event("change"));
  }
}
