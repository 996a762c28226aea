/** A small form in the place of what it corrects. */
import { h } from "../../studio/static/dom.js";

/**
 * @param {{fields: [string, string, string, boolean][], hint, save(values), cancel(), more}} options
 *   each field has a name, a title, its text, and whether it has several lines
 */
export function editor({ fields, hint, save, cancel, more = null }) {
  const inputs = fields.map(([name, title, value, isLong]) => {
    const input = isLong ? h("textarea", { rows: 5, value }) : h("input", { type: "text", value });
    input.maxLength = 20_000;
    input.autocomplete = "off";
    return [name, input, h("label", {}, h("span", {}, title), input)];
  });
  const keys = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  };
  return h(
    "form",
    { class: "editor", onkeydown: keys, onsubmit: (event) => (event.preventDefault(), save(inputs.map(([, input]) => input.value))) },
    hint && h("p", { class: "quiet" }, hint),
    inputs.map(([, , label]) => label),
    h("p", { class: "line" }, h("button", { class: "primary" }, "Save"), h("button", { type: "button", onclick: cancel }, "Cancel"), more),
  );
}

/** Authors as lines: `Given Family`, or `Family, Given` where that would be read otherwise. */
export function authorsOf(authors) {
  return authors.map(({ given, family }) => (!given ? family : family.includes(" ") ? `${family}, ${given}` : `${given} ${family}`)).join("; ");
}

/** The authors in such a text; each begins a line, or follows a semicolon. */
export function authorsIn(typed) {
  return typed
    .split(/[\n;]/)
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name) => {
      const [family, given] = name.split(/,\s*/, 2);
      if (given !== undefined) return { given, family };
      const words = name.split(/\s+/);
      return { given: words.slice(0, -1).join(" "), family: words.at(-1) };
    });
}
