/** The studio's own styles for shown pages, and the DOM nodes that they are shown with. */

/** The policy of the frame: no scripts and no requests. Images and fonts come as `data:` URLs. */
export const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

/** For every page, below its own styles. */
export const DEFAULTS = `
  html { background: Canvas; color: CanvasText; }
  [data-rowen-link] { color: #0b57d0; text-decoration: underline; cursor: text; }
  [data-rowen-shown]::before { content: attr(data-rowen-shown); padding: 0 .3em; border: 1px solid #bbb;
                               border-radius: 3px; color: #555; font-size: .85em; }
  [data-rowen-shown=""]::before { content: none; }
  [data-rowen-tag="select"], [data-rowen-tag="textarea"] { display: inline-block; }
  [data-rowen-tag="button"] { display: inline-block; padding: 1px 7px; border: 1px solid #767676; border-radius: 3px; background: #efefef;
                              color: #000; font: 13.3px system-ui, sans-serif; text-align: center; }
  [data-rowen-tag="input"]:not([type="hidden" i], [type="checkbox" i], [type="radio" i]) { display: inline-block; min-width: 9em; min-height: 1.3em;
                              padding: 1px 3px; border: 1px solid #767676; background: #fff; font: 13.3px system-ui, sans-serif; }
  [data-rowen-tag="input"]::before { border: 0; }
  [data-rowen-tag="input"]:is([type="submit" i], [type="button" i], [type="reset" i]) { min-width: 0; background: #efefef; }
  [data-rowen-tag="input"]:is([type="checkbox" i], [type="radio" i]) { display: inline-block; width: 11px; height: 11px; margin: 3px; border: 1px solid #767676; }
  [data-rowen-tag="input"]:is([type="checkbox" i], [type="radio" i])::before { content: none; }
  [data-rowen-tag="input"][type="radio" i] { border-radius: 50%; }
  [data-rowen-frame] { margin: 1em; padding: 1.2em; border: 1px dashed #999; border-radius: 8px; font: 15px system-ui, sans-serif;
                       cursor: pointer; }
  [data-rowen-frame]::before { content: "Frame: " attr(data-rowen-frame); }`;

/** Important for every page: folded elements show one line. */
export const FOLDING = `
  [data-rowen-folded]::before { content: "▸ " attr(data-rowen-folded); display: inline-block; padding: .1em .6em;
    border: 1px solid #b9c2ca; border-radius: 6px; background: #f3f5f7; color: #3f4a54; font: 13px/1.5 system-ui, sans-serif;
    text-transform: none; letter-spacing: 0; cursor: pointer; }
  [data-rowen-tag="select"][data-rowen-folded]::before { content: attr(data-rowen-folded); }
  [data-rowen-folded][data-rowen-open]::before { content: "▾"; margin-right: .5em; }
  [data-rowen-folded]:not([data-rowen-open]) { height: auto; width: auto; overflow: visible; font-size: 0; }
  [data-rowen-folded]:not([data-rowen-open]) > * { display: none; }`;

/** For pages without style sheets: readable, and not wider than a line can be read. */
export const PLAIN = `
  body { max-width: 62rem; margin: 1.5rem auto; padding: 0 1.5rem 4rem; font: 16px/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
         overflow-wrap: break-word; }
  h1, h2, h3, h4 { line-height: 1.25; }
  table { border-collapse: collapse; }
  td, th { padding: .25em .6em; vertical-align: top; }
  table[border] td, table[border] th, tbody tr + tr > td { border-top: 1px solid #e3e7ea; }
  th { text-align: start; }
  dt { font-weight: 600; }
  pre, code, kbd, samp { font: .9em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
  pre { overflow: auto; }
  img { max-width: 100%; height: auto; }
  svg:not([width]) { width: 1.2em; height: 1.2em; }
  blockquote, figure { margin-inline: 1.5em; }`;

/**
 * Important for pages without their style sheets: sizes and positions in what is left of their styles would put texts
 * over each other, where they can't be read or selected.
 */
export const LOOSE = `
  body :not(img, hr, svg, svg *, [data-rowen-tag]) { position: static; float: none; width: auto; height: auto;
         max-height: none; text-indent: 0; transform: none; }`;

const SVG = "http://www.w3.org/2000/svg";
const FILE = /rowen-file:(\d+)/g;

/** An element of the view, without its children. `files` are the page's images and fonts. */
export function elementOf(page, [tag, attributes], files) {
  const element = tag.startsWith("svg:") ? page.createElementNS(SVG, tag.slice(4)) : page.createElement(tag);
  setAttributes(element, attributes, files);
  return element;
}

/** Set the attributes of an element of the view. */
export function setAttributes(element, attributes, files) {
  for (const name in attributes) {
    const value = attributes[name];
    element.setAttribute(name, name === "src" || name === "style" ? withFiles(value, files) : value);
  }
}

/** Addresses of the page's files, as `data:` URLs. */
export function withFiles(text, files) {
  return text.includes("rowen-file:") ? text.replace(FILE, (_, number) => files[number] ?? "data:,") : text;
}
