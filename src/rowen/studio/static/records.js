/**
 * Records as pure values: which rows a page shows, and which of them a mark belongs to.
 *
 * A record maps fields to `[start, end]`, a list of such pairs, a list of nested records, or null if the field is
 * missing from the record; a field without a key is unknown. Offsets count code points of the page's source.
 *
 * @typedef {[number, number]} Span
 * @typedef {Object<string, Span | Span[] | null>} Marks
 * @typedef {{record: Marks, marked: Marks, kinds: Object<string, "mark" | "proposal">, index: number,
 *            start: number, end: number}} Row  `index` is that of the label's record; -1: proposed
 */

/** A field `reviews.author` is a column of a list inside the record (studio/nesting.py). */
const COLUMN = /^[^.\s]([^.]*[^.\s])?\.[^.\s]([^.]*[^.\s])?$/;

/** Whether a field is a column of a list inside the record: it has a value for each of the list's records. */
export function isColumn(field) {
  return COLUMN.test(field);
}

/** All spans of a field's value, those in nested records too. */
export function spansOf(value) {
  if (!value || value.length === 0) return [];
  if (!Array.isArray(value)) return Object.values(value).flatMap(spansOf);
  if (typeof value[0] === "number") return [value];
  return Array.isArray(value[0]) ? value : value.flatMap(spansOf);
}

/** Whether two JSON values are equal; the order of keys does not matter. */
export function same(left, right) {
  if (left === right) return true;
  if (!left || !right || typeof left !== "object" || typeof right !== "object") return false;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, at) => same(item, right[at]));
  }
  const names = Object.keys(left);
  return (
    !Array.isArray(right) &&
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name]))
  );
}

/** A new list with the old objects for equal items at its beginning and end, so that they need not be drawn again. */
export function reusing(old, list) {
  const least = Math.min(old.length, list.length);
  let first = 0;
  while (first < least && same(old[first], list[first])) first++;
  if (first === old.length && first === list.length) return old;
  let last = 0;
  while (last < least - first && same(old.at(-1 - last), list.at(-1 - last))) last++;
  const middle = list.slice(first, list.length - last);
  return [...old.slice(0, first), ...middle, ...old.slice(old.length - last)];
}

/** The first start and the last end of a record's values; null if it has no value on the page. */
export function extent(record) {
  let start = Infinity;
  let end = -Infinity;
  for (const value of Object.values(record)) {
    for (const [first, last] of spansOf(value)) {
      start = Math.min(start, first);
      end = Math.max(end, last);
    }
  }
  return end < 0 ? null : [start, end];
}

/** Whether two records share a value. Then they are the same record, even if one of them has more fields. */
export function matches(left, right) {
  return Object.keys(left).some((field) => left[field] && same(left[field], right[field]));
}

/** A record with a new value for a field; without the field if the value is undefined. */
export function withValue(record, field, value) {
  const { [field]: _, ...remaining } = record;
  return value === undefined ? remaining : { ...remaining, [field]: value };
}

/** The index at which a new record belongs among records in page order. */
export function position(records, record) {
  const start = extent(record)?.[0] ?? Infinity;
  const after = records.findIndex((candidate) => (extent(candidate)?.[0] ?? -1) > start);
  return after < 0 ? records.length : after;
}

/**
 * The rows of a page, in page order: marked records and proposed ones. Deleted proposals are not shown.
 *
 * A proposal for a marked record, which overlaps it or is in the same region, fills its unknown fields, unless the
 * two contradict each other and share no value; it also goes on with a list that is marked in part. Only fields that
 * were added since are filled where a page is accepted. The server has the same rules (studio/rows.py).
 *
 * @param {{records: Marks[], complete: boolean, rejected?: Marks[]} | undefined} label
 * @param {Marks[]} proposed
 * @param {string[]} fields
 * @param {Span[]} regions  disjoint and in page order, see studio/regions.py
 * @returns {Row[]}
 */
export function rowsOf(label, proposed, fields, regions = []) {
  const rejected = label?.rejected ?? [];
  const proposals = proposed
    .filter((record) => !rejected.some((deleted) => matches(record, deleted)))
    .map((record) => rowOf(record, NOTHING, -1, fields))
    .filter(({ end }) => end >= 0);
  const rows = [];
  let next = 0;
  for (const [index, record] of (label?.records ?? []).entries()) {
    const [start, end] = extent(record) ?? [-1, -1];
    const region = regionAt(regions, start);
    const isBefore = (row) => row.end <= start && !(region[0] <= row.start && row.start < region[1]);
    while (next < proposals.length && isBefore(proposals[next])) rows.push(proposals[next++]);
    let completion = NOTHING;
    while (next < proposals.length && proposals[next].start < Math.max(end, region[1])) {
      const { record: proposal } = proposals[next++];
      if (agree(record, proposal) || matches(record, proposal)) completion = proposal;
    }
    rows.push(rowOf(record, completion, index, fields, !label.complete));
  }
  return label?.complete ? rows.filter(({ index }) => index >= 0) : rows.concat(proposals.slice(next));
}

/** The region around an offset; an empty one at the offset if there is none. */
export function regionAt(regions, offset) {
  let [low, high] = [0, regions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (regions[middle][0] <= offset) low = middle + 1;
    else high = middle;
  }
  const region = regions[low - 1];
  return region && offset < region[1] ? region : [offset, offset];
}

/** What a person has marked of a row; null if all of it is proposed. A guess is not a label. */
export function markedPart(row) {
  return row && Object.keys(row.marked).length ? row.marked : null;
}

/** The part of a row by which a change finds its record: what is marked, else the row's first value. */
export function anchorOf(row) {
  const marked = markedPart(row);
  if (marked && extent(marked)) return marked;
  const first = Object.entries(row.record).find(([, value]) => spansOf(value).some(([start]) => start === row.start));
  return { ...Object.fromEntries(first ? [first] : []), ...marked };
}

/**
 * The row that a new mark belongs to. The first that exists of: the row whose value it overlaps, the marked record around
 * it, the marked record whose region it is in, the only marked record of the page if it has no value for the field and
 * the span is not known to be of another record, the proposed record there if it is like the marked ones, the nearest
 * marked record that lacks the field, any proposed record there. Where there are no regions: the row around it, the row
 * before it that lacks the field, the row after it that lacks the field. Null: a new record.
 *
 * @param {Row[]} rows
 * @param {string} field
 * @param {Span} span
 * @param {Span[]} regions
 * @param {boolean} isElsewhere  whether a suggested table has the span in another record than the only marked one
 * @returns {Row | null}
 */
export function rowFor(rows, field, span, regions = [], isElsewhere = false) {
  const [start, end] = span;
  const touched = rows.find(({ record }) =>
    spansOf(record[field]).some(([first, last]) => first < end && start < last),
  );
  if (touched) return touched;
  const isAround = (row) => row.start <= start && end <= row.end;
  const around = rows.find((row) => row.index >= 0 && isAround(row)) ?? (regions.length ? null : rows.find(isAround));
  if (around) return around;
  if (regions.length) return rowByRegion(rows, field, span, regions, isElsewhere);
  const before = rows.findLast((row) => row.start <= start);
  if (before && lacks(before, field)) return before;
  const after = rows.find((row) => row.start > start);
  return after && isUnknown(after, field) ? after : null;
}

function rowByRegion(rows, field, span, regions, isElsewhere) {
  const [first, last] = regionAt(regions, span[0]);
  const held = rows.filter((row) => first <= row.start && row.start < last);
  const marked = held.find(({ index }) => index >= 0);
  // A second value of a marked field begins another record.
  if (marked) return marked.kinds[field] === "mark" ? null : marked;
  if (isElsewhere) return held[0] ?? null;
  const lacking = rows.filter((row) => row.index >= 0 && row.kinds[field] !== "mark");
  // Somebody who marks a first record marks all of it, before the studio can know where it ends.
  const isFirst = rows.filter(({ index }) => index >= 0).length === 1;
  if (isFirst && lacking.length && !spansOf(lacking[0].record[field]).length) return lacking[0];
  const proposed = held.find((row) => isCredible(row, rows));
  if (proposed) return proposed;
  const distance = (row) => Math.max(row.start - span[1], span[0] - row.end, 0);
  lacking.sort((left, right) => distance(left) - distance(right));
  return lacking[0] ?? held[0] ?? null;
}

/** Whether a proposed row is a record like the marked ones: it has most of the fields of the one with most marks. */
function isCredible(row, rows) {
  const marks = rows.map((candidate) => Object.keys(markedPart(candidate) ?? {}));
  const richest = marks.reduce((most, names) => (names.length > most.length ? names : most), []);
  const having = richest.filter((name) => spansOf(row.record[name]).length);
  return richest.length > 1 && having.length > richest.length / 2;
}

/** The row whose field gets one more value: the marked record of the region, else the last row before the value. */
export function rowToAddTo(rows, span, regions = []) {
  const [first, last] = regionAt(regions, span[0]);
  const held = rows.filter((row) => first <= row.start && row.start < last);
  const marked = rows.filter(({ index }) => index >= 0);
  const before = (list) => list.findLast(({ start }) => start <= span[0]);
  return before(held.filter(({ index }) => index >= 0)) ?? before(marked) ?? before(held) ?? before(rows) ?? null;
}

/** A value with one more span, in page order. */
export function added(value, span) {
  const spans = [...spansOf(value), span].sort((left, right) => left[0] - right[0]);
  return spans.length === 1 ? spans[0] : spans;
}

/** The last row of each record: a row that has not changed is the same object, and need not be drawn again. */
const rowsByRecord = new WeakMap();
const NOTHING = {};

/** The row of a marked record, whose unknown fields a proposal fills, or of a proposed record (index -1). */
function rowOf(record, completion, index, fields, isOpen = true) {
  const cached = rowsByRecord.get(record);
  if (cached && cached.completion === completion && cached.row.index === index && cached.fields === fields && cached.isOpen === isOpen) return cached.row;
  const row = index < 0 ? joined({}, only(record, fields), index) : joined(record, completion, index, isOpen);
  rowsByRecord.set(record, { completion, fields, isOpen, row });
  return row;
}

function joined(marked, proposed, index, isOpen = true) {
  const record = { ...proposed, ...marked };
  for (const field of isOpen ? Object.keys(marked) : []) if (isBeginning(field, marked, proposed)) record[field] = proposed[field];
  const kinds = {};
  for (const field of Object.keys(record)) kinds[field] = field in marked ? "mark" : "proposal";
  const [start, end] = extent(record) ?? [-1, -1];
  return { record, marked, kinds, index, start, end };
}

function only(record, fields) {
  return Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)));
}

function agree(marked, proposed) {
  return Object.keys(marked).every((field) => !(field in proposed) || same(marked[field], proposed[field]) || isBeginning(field, marked, proposed));
}

/** Whether somebody has marked some values of a column, and the proposal has these and more. */
function isBeginning(field, marked, proposed) {
  if (!isColumn(field)) return false;
  const [values, more] = [spansOf(marked[field]), spansOf(proposed[field])];
  return values.length > 0 && values.every((span) => more.some((other) => same(span, other)));
}

function isUnknown(row, field) {
  return !(field in row.record);
}

/**
 * Whether a row can take a value for a field. A proposed value may be wrong and is replaced, except the
 * first value of the row: after that a value of the same field begins the next record.
 */
function lacks(row, field) {
  if (isUnknown(row, field)) return true;
  const start = spansOf(row.record[field])[0]?.[0];
  return row.kinds[field] === "proposal" && start !== row.start;
}
