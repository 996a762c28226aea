/** A source text cut into rows that fit a view's width, and its markup. */

const TAB = 2;
const WIDE = 0x1100;

/**
 * Where rows start, in UTF-16 units, and the number of the line that starts there, or 0 where a
 * long line goes on. A row has its line break at its end.
 */
export function rowsOf(text, columns) {
  const starts = [0];
  const lines = [1];
  let line = 1;
  let width = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) {
      width = 0;
      line++;
      starts.push(at + 1);
      lines.push(line);
      continue;
    }
    const isPair = code >= 0xd800 && code < 0xdc00;
    const wanted = code === 9 ? TAB : code >= WIDE ? 2 : 1;
    if (width + wanted > columns && code !== 13) {
      width = 0;
      starts.push(at);
      lines.push(0);
    }
    width += wanted;
    if (isPair) at++;
  }
  return { starts: Uint32Array.from(starts), lines: Uint32Array.from(lines) };
}

const TOKEN =
  /<!--[^]*?(?:-->|$)|<(script|style|textarea|title)\b(?:"[^"]*"|'[^']*'|[^>"'])*>|<[/!?]?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi;
const INSIDE = /(?<=[\s/])([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;
const LONGEST_TAG = 20_000;

/** What of a source is markup: `{start, end, kind}`, kinds being tag, comment and reference. */
export function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (let found; (found = TOKEN.exec(text)); ) {
    const [all, holder] = found;
    const start = found.index;
    const end = start + all.length;
    const kind = all[0] === "&" ? "reference" : all.startsWith("<!--") ? "comment" : "tag";
    tokens.push({ start, end, kind });
    if (holder) {
      const close = new RegExp(`</${holder}`, "gi");
      close.lastIndex = end;
      TOKEN.lastIndex = close.exec(text)?.index ?? text.length;
    }
  }
  return tokens;
}

/** The names and values of attributes within a tag, as `tokensOf` tells of tags. */
export function* attributesOf(text, { start, end }) {
  if (end - start > LONGEST_TAG || text[start + 1] === "/") return;
  const tag = text.slice(start, end);
  INSIDE.lastIndex = 0;
  for (let found; (found = INSIDE.exec(tag)); ) {
    const [all, name, value] = found;
    const at = start + found.index;
    yield { start: at, end: at + name.length, kind: "name" };
    if (value) yield { start: at + all.length - value.length, end: at + all.length, kind: "value" };
  }
}
