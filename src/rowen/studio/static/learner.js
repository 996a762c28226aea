/** Requests proposals after each change: one request at a time; outdated responses are dropped. */
import * as api from "./api.js";
import { reusing } from "./records.js";

/** In milliseconds. Most learning takes less: a spinner would only flicker. */
const SPINNER_AFTER = 300;
const RETRY_AFTER = 2000;
/** After this time the first answer is requested, by what is learned from few pages. Where learning takes less, it would only flicker. */
const FIRST_AFTER = 30;
/** The pages are judged when nothing was marked for so long: while somebody marks, learning needs the processors. */
const JUDGE_AFTER = 400;
/** After this time learning can be stopped: before, nobody would find the button. */
const SLOW_AFTER = 1000;

export class Learner extends EventTarget {
  /**
   * Fires "change" when proposals, judgement, `busy`, `slow` or `early` changed.
   * @param {import("./session.js").Session} session @param {() => string | null} page  the page that is shown
   */
  constructor(session, page) {
    super();
    this.session = session;
    this.page = page;
    this.proposals = null;
    this.judgement = null;
    this.busy = false;
    /** Learning takes longer than somebody waits without a sign. */
    this.slow = false;
    /** The records shown are the first answer, by what was learned from few pages. */
    this.early = false;
    /** A person stopped learning from the current marks. */
    this.stopped = false;
    this.failure = null;
    this.gone = false;
    this.failed = -1;
    this.requested = session.server.revision;
    this.requesting = false;
    this.judging = false;
    session.addEventListener("change", () => {
      this.#request();
      this.#requestFirst();
    });
    this.#request();
  }

  /** Whether the proposals belong to the state that is shown. */
  get fresh() {
    return this.proposals?.revision === this.session.server.revision && !this.session.waiting.length;
  }

  /** Stop learning from the current marks; the last proposals stay. */
  async stop() {
    try {
      await api.stopLearning(this.session.server.name);
    } catch (error) {
      if (!(error instanceof api.Problem || error instanceof api.Unreachable)) throw error;
    }
  }

  /** Learn once more after a failure or a stop. */
  again() {
    this.failed = -1;
    this.#set({ failure: null, stopped: false });
    this.#request();
  }

  /** Whether anything is marked or accepted. */
  get marked() {
    return Object.values(this.session.state.labels).some(({ records, complete }) => records.length || complete);
  }

  /** Whether there is anything to find: before the first mark or table nobody waits for anything. */
  get #learns() {
    return this.marked || (this.session.state.fields.length > 0 && Boolean(this.proposals?.wrapper));
  }

  async #request() {
    if (this.requesting || this.session.closed) return;
    this.requesting = true;
    const spinner = setTimeout(() => this.#set({ busy: this.#learns }), SPINNER_AFTER);
    const slow = setTimeout(() => this.#set({ slow: this.#learns }), SLOW_AFTER);
    try {
      while (!this.session.closed) {
        const { name, revision } = this.session.server;
        if (revision === this.failed || this.proposals?.revision === revision) break;
        const proposals = this.#reusing(await api.proposals(name));
        if (proposals.revision < this.session.server.revision) continue;
        clearTimeout(spinner);
        clearTimeout(slow);
        const { stopped = false, failure = null } = proposals;
        if (stopped || failure) {
          this.#set({ stopped, failure, failed: proposals.revision, busy: false, slow: false, early: false });
          break;
        }
        this.#set({ proposals, busy: false, slow: false, early: false, stopped: false, failure: null, gone: false });
        if (proposals.revision > this.session.server.revision) await this.session.refresh();
        this.#judge();
      }
    } catch (error) {
      if (error instanceof api.Problem) {
        this.#set({ failure: error.message, failed: this.session.server.revision });
      } else if (error instanceof api.Unreachable) {
        this.#set({ gone: true });
        setTimeout(() => this.#request(), RETRY_AFTER);
      } else {
        throw error;
      }
    } finally {
      clearTimeout(spinner);
      clearTimeout(slow);
      this.requesting = false;
      if (this.busy || this.slow || this.early) this.#set({ busy: false, slow: false, early: false });
    }
  }

  /** Request the first answer, also while learning for an older state is under way. */
  #requestFirst() {
    const { revision } = this.session.server;
    if (revision === this.requested) return;
    this.requested = revision;
    setTimeout(() => this.#showFirst(revision), FIRST_AFTER);
  }

  /** Show the first answer until all pages are learned from. */
  async #showFirst(revision) {
    const page = this.page();
    const isLate = () => this.session.closed || !this.requesting || this.fresh || this.session.server.revision !== revision;
    if (isLate() || !this.session.state.labels[page]?.records.length) return;
    let answer;
    try {
      answer = await api.firstProposals(this.session.server.name, page);
    } catch (error) {
      if (error instanceof api.Problem || error instanceof api.Unreachable) return; // the request for all pages reports it
      throw error;
    }
    if (isLate() || answer.revision !== revision || !answer.pages[page]) return;
    const before = this.proposals ?? { revision: -1, wrapper: null, explanation: null, conflict: null, pages: {} };
    const { pages } = this.#reusing(answer);
    this.#set({ proposals: { ...before, pages: { ...before.pages, ...pages } }, early: true });
  }

  /** New proposals in which unchanged records are the same objects as before, so that they need not be drawn again. */
  #reusing(proposals) {
    for (const [page, proposal] of Object.entries(proposals.pages)) {
      const before = this.proposals?.pages[page];
      proposal.records = reusing(before?.records ?? [], proposal.records);
      proposal.regions = reusing(before?.regions ?? [], proposal.regions);
    }
    return proposals;
  }

  /** Request how certain the pages are, separately: the judgement takes longer, and proposals must not wait for it. */
  async #judge() {
    if (this.judging) return;
    this.judging = true;
    try {
      while (!this.session.closed && (this.judgement?.revision ?? -1) < this.proposals.revision) {
        const { revision } = this.session.server;
        await new Promise((resolve) => setTimeout(resolve, JUDGE_AFTER));
        if (this.session.closed || !this.fresh) return; // what is learned next asks again
        if (revision !== this.session.server.revision) continue;
        this.#set({ judgement: await api.judgement(this.session.server.name) });
      }
    } catch (error) {
      if (!(error instanceof api.Problem || error instanceof api.Unreachable)) throw error;
      // It is requested again after the next change; until then no page is shown as certain.
    } finally {
      this.judging = false;
    }
  }

  #set(values) {
    Object.assign(this, values);
    this.dispatchEvent(new Event("change"));
  }
}
