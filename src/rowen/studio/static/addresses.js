/** Pages by their addresses, where the server may fetch them. */
import * as api from "./api.js";
import { counted, h } from "./dom.js";

/** The addresses in a text, one after the other; null where there is anything else in it. */
export function addressesIn(text) {
  const words = text.split(/\s+/).filter(Boolean);
  return words.length && words.every((word) => /^https?:\/\/./i.test(word)) ? words : null;
}

/** A field for addresses; the pages at them are taken as files. */
export function addressForm({ messages, take }) {
  const field = h("input", {
    type: "text",
    inputMode: "url",
    required: true,
    placeholder: "https://…",
    "aria-label": "Addresses of pages",
    "data-key": "addresses",
  });
  const button = h("button", {}, "Fetch");
  const submit = async (event) => {
    event.preventDefault();
    const addresses = addressesIn(field.value);
    if (!addresses) {
      messages.tell("An address begins with http:// or https://; several are parted by spaces.", "warning");
      return;
    }
    button.disabled = true;
    const files = await fetchAll(addresses, messages);
    button.disabled = false;
    if (!files.length) return; // what was written can be mended
    field.value = "";
    await take(files);
  };
  return h("form", { class: "addresses", onsubmit: submit }, field, button);
}

/** The pages at addresses as files; of those that can't be fetched it is told why. */
export async function fetchAll(addresses, messages) {
  const files = [];
  for (const [number, address] of addresses.entries()) {
    messages.hold(`Fetching ${addresses.length > 1 ? `${number + 1} of ${counted(addresses.length, "page")}` : address}…`);
    try {
      const { name, text } = await api.fetchPage(address);
      files.push(new File([text], name, { type: "text/html" }));
    } catch (error) {
      messages.tell(`${error.message}.`, "error");
    }
  }
  messages.hold(null);
  return files;
}
