/** The files that somebody drops: also those in folders, and folders in these. */

/** What the library can read, or may unpack. Other files of a folder are passed over. */
const READABLE = /\.(pdf|html?|xhtml|txt|xml|tex|bbl|zip)$/i;

/** @returns {Promise<File[]>} in the order of their names */
export async function dropped(transfer) {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  const files = [];
  for (const entry of entries) await collect(entry, files, !entry.isDirectory);
  return files;
}

/** The readable files of a chosen folder. */
export const readable = (files) => Array.from(files).filter(({ name }) => READABLE.test(name) && !name.startsWith("."));

async function collect(entry, files, itself) {
  if (entry.isFile) {
    // A file that was dropped itself is sent as it is: the server says what it can't read.
    if (itself || (READABLE.test(entry.name) && !entry.name.startsWith("."))) {
      files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
    }
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // The browser hands out the entries of a folder in batches; an empty batch is the end.
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!batch.length) return;
    for (const child of batch) await collect(child, files, false);
  }
}
