/** Cuts a source text into rows that fit the width of a view, and finds its markup. */

const TAB = 2;
/** From this UTF-16 unit on (Hangul Jamo) a character is counted as two columns wide. */
const WIDE = 0x1100;

/**
 * Where rows start, in UTF-16 units, and the number of the line that starts there, or 0 if a long line
 * continues. A row includes its line break.
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
    const needed = code === 9 ? TAB : code >= WIDE ? 2 : 1;
    if (width + needed > columns && code !== 13) {
      width = 0;
      starts.push(at);
      lines.push(0);
    }
    width += needed;
    if (isPair) at++;
  }
  return { starts: Uint32Array.from(starts), lines: Uint32Array.from(lines) };
}

const TOKEN =
  /<!--[^]*?(?:-->|$)|<(script|style|textarea|title)\b(?:"[^"]*"|'[^']*'|[^>"'])*>|<[/!?]?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi;
const INSIDE = /(?<=[\s/])([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;
const LONGEST_TAG = 20_000;

/** The markup of a source: `{start, end, kind}`; the kind is tag, comment or reference. */
export function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (let match; (match = TOKEN.exec(text)); ) {
    const [all, holder] = match;
    const start = match.index;
    const end = start + all.length;
    const kind = all[0] === "&" ? "reference" : all.startsWith("<!--") ? "comment" : "tag";
    tokens.push({ start, end, kind });
    if (holder) {
      // Scripts, styles and titles contain text only, up to their end tag.
      const close = new RegExp(`</${holder}`, "gi");
      close.lastIndex = end;
      TOKEN.lastIndex = close.exec(text)?.index ?? text.length;
    }
  }
  return tokens;
}

/** The names and values of the attributes of a tag: `{start, end, kind}`, as `tokensOf` returns. */
export function* attributesOf(text, { start, end }) {
  if (end - start > LONGEST_TAG || text[start + 1] === "/") return;
  const tag = text.slice(start, end);
  INSIDE.lastIndex = 0;
  for (let match; (match = INSIDE.exec(tag)); ) {
    const [all, name, value] = match;
    const at = start + match.index;
    yield { start: at, end: at + name.length, kind: "name" };
    if (value) yield { start: at + all.length - value.length, end: at + all.length, kind: "value" };
  }
}
