/** Adds pages by URL, if the server is allowed to fetch pages. */
import * as api from "./api.js";
import { counted, h } from "./dom.js";

/** The URLs in a text, in order; null if the text contains anything else. */
export function addressesIn(text) {
  const words = text.split(/\s+/).filter(Boolean);
  return words.length && words.every((word) => /^https?:\/\/./i.test(word)) ? words : null;
}

/** A form with a field for URLs; `take` gets the fetched pages as files. */
export function addressForm({ messages, take }) {
  const field = h("input", {
    type: "text",
    inputMode: "url",
    required: true,
    placeholder: "https://…",
    "aria-label": "URLs of pages",
    "data-key": "addresses",
  });
  const button = h("button", {}, "Fetch");
  const submit = async (event) => {
    event.preventDefault();
    const addresses = addressesIn(field.value);
    if (!addresses) {
      messages.show("A URL starts with http:// or https://; separate several URLs by spaces.", "warning");
      return;
    }
    button.disabled = true;
    const files = await fetchAll(addresses, messages);
    button.disabled = false;
    if (!files.length) return; // the URLs stay in the field, so that they can be corrected
    field.value = "";
    await take(files);
  };
  return h("form", { class: "addresses", onsubmit: submit }, field, button);
}

/** Fetch pages by URL as files; a page that can't be fetched is reported and skipped. */
export async function fetchAll(addresses, messages) {
  const files = [];
  for (const [number, address] of addresses.entries()) {
    messages.showBanner(`Fetching ${addresses.length > 1 ? `${number + 1} of ${counted(addresses.length, "page")}` : address}…`);
    try {
      const { name, text } = await api.fetchPage(address);
      files.push(new File([text], name, { type: "text/html" }));
    } catch (error) {
      messages.show(`${error.message}.`, "error");
    }
  }
  messages.showBanner(null);
  return files;
}
