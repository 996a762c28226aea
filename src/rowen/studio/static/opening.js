/** Adds pages from files, folders and pasted HTML. */
import * as api from "./api.js";
import { counted } from "./dom.js";
import { attachFiles, pagesIn } from "./saved-files.js";

const PAGES = /\.(html?|xhtml|xml|txt|md|text|php|aspx?|jsp|mhtml?|warc(\.gz)?)$/i;
const CAPTURES = /\.(mhtml?|warc(\.gz)?)$/i;
const PDF = "%PDF-";

/** All dropped files, including those in dropped folders. */
export async function dropped(transfer) {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return { files: [...transfer.files], folder: null };
  const tree = new Map();
  for (const entry of entries) await collect(entry, tree);
  // A file that was dropped itself is taken as it is; in folders only pages are.
  const isPage = (path) => !path.includes("/") || PAGES.test(path);
  return { files: inOrder(pagesIn(tree, isPage)), folder: entries.find((entry) => entry.isDirectory)?.name ?? null };
}

/** Collect files by their paths. */
async function collect(entry, tree) {
  if (entry.isFile) {
    tree.set(entry.fullPath.replace(/^\//, ""), await new Promise((resolve, reject) => entry.file(resolve, reject)));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // The browser hands out the entries of a folder in batches; an empty batch is the end.
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!batch.length) return;
    for (const child of batch) await collect(child, tree);
  }
}

/** The pages among the files of a chosen folder. */
export function pagesOf(files) {
  const tree = new Map(Array.from(files, (file) => [file.webkitRelativePath || file.name, file]));
  return inOrder(pagesIn(tree, (path) => PAGES.test(path)));
}

/** Files by their names as people count: p2 before p10. */
function inOrder(files) {
  return files.toSorted((left, right) => left.name.localeCompare(right.name, undefined, { numeric: true }));
}

/** Pasted HTML as a file; null if there is none. */
export function pasted(clipboard) {
  const plain = clipboard.getData("text/plain");
  const html = /^\s*</.test(plain) ? plain : clipboard.getData("text/html");
  return html ? new File([html], "pasted.html", { type: "text/html" }) : null;
}

/** Why a file can't be a page, as far as that is visible before sending it; else null. */
async function refusal(file, { page_bytes, capture_bytes }) {
  const limit = CAPTURES.test(file.name) ? capture_bytes : page_bytes;
  if (file.size > limit) {
    return `is too large (${megabytes(file.size)}): the limit is ${megabytes(limit)}`;
  }
  if (!file.size) return "is empty";
  if ((await file.slice(0, PDF.length).text()) === PDF) {
    return "is a PDF, not a page: use `rowen paper` or the service for papers";
  }
  return null;
}

/**
 * Add files to a project, one after the other.
 *
 * @returns {Promise<{state: object | null, added: string[], refused: string[]}>}
 */
export async function addFiles(project, files, { limits, progress }) {
  const added = [];
  const refused = [];
  let state = null;
  const waiting = [...files];
  for (const [number, file] of waiting.entries()) {
    progress(waiting.length > 3 ? `Adding ${number + 1} of ${counted(waiting.length, "page")}…` : "");
    const reason = await refusal(file, limits);
    if (reason) {
      refused.push(`${file.name} ${reason}.`);
      continue;
    }
    try {
      state = await api.addPage(project, file.name, file);
      added.push(...state.all_added);
      for (const frame of await attachFiles(project, state.added, file)) if (!waiting.includes(frame)) waiting.push(frame);
    } catch (error) {
      refused.push(error instanceof api.Unreachable ? `${file.name} was not added: ${error.message}.` : error.message);
    }
  }
  progress("");
  return { state, added, refused };
}

/** A new project's name: taken from the names of the files, and not in use yet. */
export function projectName(files, folder, taken) {
  const first = files[0]?.webkitRelativePath?.split("/")[0] || folder || files[0]?.name.replace(/\.[^.]*$/, "") || "pages";
  const plain = first.replace(/[^\p{L}\p{N}_.@+-]+/gu, " ").replace(/^[ .]+|[ .]+$/g, "").slice(0, 80) || "pages";
  let name = plain;
  for (let number = 2; taken.includes(name); number++) name = `${plain} ${number}`;
  return name;
}

function megabytes(bytes) {
  return `${(bytes / 1024 / 1024).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
