/** The records that the desk shows: the rows of each page, and those of the table. Unchanged ones stay the same objects. */
import { rowsOf } from "./records.js";

const NOWHERE = [];

export class Listing {
  #rowsByPage = new Map();
  #listed = null;

  /** @param {import("./session.js").Session} session @param {import("./learner.js").Learner} learner */
  constructor(session, learner) {
    this.session = session;
    this.learner = learner;
    /** Whose records the table shows: "page" or "all". */
    this.scope = "page";
  }

  /** The rows of a page; the same array as long as they have not changed. */
  rows(page) {
    const { labels, fields } = this.session.state;
    const proposed = this.learner.proposals?.pages[page]?.records;
    const cached = this.#rowsByPage.get(page);
    const label = labels[page];
    const regions = this.regions(page);
    if (cached && cached.label === label && cached.proposed === proposed && cached.fields === fields && cached.regions === regions) return cached.rows;
    const rows = rowsOf(label, proposed ?? [], fields, regions);
    this.#rowsByPage.set(page, { label, proposed, fields, regions, rows });
    return rows;
  }

  /** The regions of the records of a page. */
  regions(page) {
    return this.learner.proposals?.pages[page]?.regions ?? NOWHERE;
  }

  /** The table's rows while `page` is shown; the same array as long as they have not changed. */
  listed(page) {
    const pages = this.scope === "all" ? this.session.state.pages : page ? [page] : [];
    const conflict = this.learner.proposals?.conflict;
    const parts = pages.map((name) => this.rows(name));
    const before = this.#listed;
    const isSame = before && before.conflict === conflict && before.parts.length === parts.length && parts.every((rows, at) => rows === before.parts[at]);
    if (isSame) return before.rows;
    const suspects = new Set((conflict?.marks ?? []).map((mark) => `${mark.page}\n${mark.record}`));
    const rows = pages.flatMap((name, at) =>
      parts[at].map((row) => ({ page: name, row, conflict: suspects.has(`${name}\n${row.index}`) })),
    );
    this.#listed = { conflict, parts, rows };
    return rows;
  }

  /** If the cursor's record has changed, a cursor at the record that is there now; null if there is none. */
  kept(cursor, current) {
    if (!cursor) return null;
    const { page, at, field } = cursor;
    const rows = this.session.state.pages.includes(page) && (this.scope === "all" || page === current) ? this.rows(page) : [];
    if (rows.some(({ start }) => start === at)) return cursor;
    const near = rows.findLast(({ start }) => start <= at) ?? rows[0];
    return near ? { page, at: near.start, field } : null;
  }

  /** What the list of pages shows about a page. */
  summary(page) {
    const { proposals, judgement } = this.learner;
    const label = this.session.state.labels[page];
    const marks = proposals?.conflict?.marks ?? [];
    const judged = judgement?.pages[page];
    return {
      page,
      records: this.rows(page).length,
      complete: Boolean(label?.complete),
      failure: proposals?.pages[page]?.failure,
      conflict: marks.some((mark) => mark.page === page),
      certainty: judged?.certainty,
      reasons: judged?.reasons,
    };
  }
}
