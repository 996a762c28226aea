/** The style sheets and images of saved pages: files of the folder that a page came in. */
import * as api from "./api.js";

/** How often a page is asked what it lacks: style sheets refer to others, and those to images. */
const ROUNDS = 4;

/** Where a page's file was found: its path, and all files of the folder by their paths. */
const homes = new WeakMap();

/**
 * The pages among the files of a folder. What a browser saved beside a page, as in `shop_files` for `shop.html`,
 * belongs to that page.
 *
 * @param {Map<string, File>} tree  the files by their paths
 * @param {(path: string) => boolean} isPage
 */
export function pagesIn(tree, isPage) {
  const pages = [];
  for (const [path, file] of tree) {
    if (!isPage(path) || isAttached(path, tree)) continue;
    homes.set(file, { path, tree });
    pages.push(file);
  }
  return pages;
}

function isAttached(path, tree) {
  return path.split("/").slice(0, -1).some((name, depth, folders) => {
    const stem = name.replace(/_files$/, "");
    const start = [...folders.slice(0, depth), stem].join("/");
    return stem !== name && [".html", ".htm", ".xhtml"].some((suffix) => tree.has(start + suffix));
  });
}

/** Send a page's style sheets and images after it, as far as its folder has them. Returns the frames of a frameset. */
export async function attachFiles(project, page, file) {
  const home = homes.get(file);
  if (!home || home.tree.size < 2) return [];
  for (let round = 0; round < ROUNDS; round++) {
    const { wanted, frames } = await api.view(project, page);
    const found = wanted.map((url) => [url, fileAt(url, home)]).filter(([, content]) => content);
    if (!found.length) return frames.map((address) => fileAt(address, home)).filter(Boolean);
    for (const [url, content] of found) await api.attach(project, page, url, content).catch(() => null); // too large: shown without it
  }
  return [];
}

/** The file of the folder at an address that is relative to a page, or to the root of the site. */
function fileAt(url, { path, tree }) {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) return null;
  const [top] = path.split("/");
  for (const address of [url.replace(/[?#].*$/, ""), url]) {
    const start = address.startsWith("/") ? [top] : path.split("/").slice(0, -1);
    const file = tree.get(joined(start, decoded(address)));
    if (file) return file;
  }
  return null;
}

function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address; // a per cent sign that is only that
  }
}

function joined(folders, address) {
  const parts = [...folders];
  for (const part of address.split("/")) {
    if (part === "..") parts.pop();
    else if (part && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
