/**
 * Records as pure values: which rows a page shows, and which of them a mark belongs to.
 *
 * A record maps fields to `[start, end]`, a list of such pairs, or null if the field is missing from the
 * record; a field without a key is unknown. Offsets count code points of the page's source.
 *
 * @typedef {[number, number]} Span
 * @typedef {Object<string, Span | Span[] | null>} Marks
 * @typedef {{record: Marks, kinds: Object<string, "mark" | "proposal">, index: number,
 *            start: number, end: number}} Row  `index` is that of the label's record; -1: proposed
 */

/** All spans of a field's value. */
export function spansOf(value) {
  if (!value || value.length === 0) return [];
  return Array.isArray(value[0]) ? value : [value];
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
 * two contradict each other and share no value. Only these are shown where the page is accepted: they are for fields
 * that were added since. The server has the same rules (studio/rows.py).
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
    rows.push(rowOf(record, completion, index, fields));
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
  if (!row) return null;
  const entries = Object.entries(row.record).filter(([field]) => row.kinds[field] === "mark");
  return entries.length ? Object.fromEntries(entries) : null;
}

/** The part of a row by which a change finds its record: what is marked, else the row's first value. */
export function anchorOf(row) {
  const marked = markedPart(row);
  if (marked && extent(marked)) return marked;
  const first = Object.entries(row.record).find(([, value]) => spansOf(value).some(([start]) => start === row.start));
  return { ...Object.fromEntries(first ? [first] : []), ...marked };
}

/**
 * The row that a new mark belongs to. The first that exists of: the row whose value it overlaps, the row whose
 * region it is in, and where no region is around it: the row around it, the row before it that lacks the field, the
 * row after it that lacks the field. Null: a new record.
 *
 * @param {Row[]} rows
 * @param {string} field
 * @param {Span} span
 * @param {Span[]} regions
 * @returns {Row | null}
 */
export function rowFor(rows, field, span, regions = []) {
  const [start, end] = span;
  const touched = rows.find(({ record }) =>
    spansOf(record[field]).some(([first, last]) => first < end && start < last),
  );
  if (touched) return touched;
  const around = rows.find((row) => row.start <= start && end <= row.end);
  if (around) return around;
  const [first, last] = regionAt(regions, start);
  if (first < last) {
    const held = rows.filter((row) => first <= row.start && row.start < last);
    const row = held.find(({ index }) => index >= 0) ?? held[0];
    // A second value of a marked field begins another record.
    return row && row.kinds[field] !== "mark" ? row : null;
  }
  const isFree = (row) => row && isUnheld(regions, row);
  const before = rows.findLast((row) => row.start <= start);
  if (isFree(before) && lacks(before, field)) return before;
  const after = rows.find((row) => row.start > start);
  return isFree(after) && isUnknown(after, field) ? after : null;
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
function rowOf(record, completion, index, fields) {
  const cached = rowsByRecord.get(record);
  if (cached && cached.completion === completion && cached.row.index === index && cached.fields === fields) return cached.row;
  const row = index < 0 ? joined({}, only(record, fields), index) : joined(record, completion, index);
  rowsByRecord.set(record, { completion, fields, row });
  return row;
}

function joined(marked, proposed, index) {
  const record = { ...proposed, ...marked };
  const kinds = {};
  for (const field of Object.keys(record)) kinds[field] = field in marked ? "mark" : "proposal";
  const [start, end] = extent(record) ?? [-1, -1];
  return { record, kinds, index, start, end };
}

function only(record, fields) {
  return Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)));
}

function agree(marked, proposed) {
  return Object.keys(marked).every((field) => !(field in proposed) || same(marked[field], proposed[field]));
}

/** Whether a row has no region of its own, so that values next to it may belong to it. */
function isUnheld(regions, row) {
  const [first, last] = regionAt(regions, row.start);
  return first === last;
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
