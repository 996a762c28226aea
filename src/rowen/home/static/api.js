/** The requests of home, extractors and operations. */
import { send } from "../../studio/static/requests.js";

export const overview = () => send("GET", "home/api/overview");
/** How many papers the library has, and how many of them could not be read. */
export async function papers() {
  const [all, failed] = await Promise.all([send("GET", "library?limit=1"), send("GET", "library?limit=1&state=failed")]);
  return { count: all.total, failed: failed.total };
}
export const samplePages = () => send("POST", "home/api/samples/pages");
export const stores = () => send("GET", "home/api/stores");
export const chooseStore = (place) => send("POST", "home/api/stores", { json: { place } });
export const removeStore = (id) => send("DELETE", `home/api/stores/${id}`);
export const store = (id) => send("GET", `home/api/stores/${encodeURIComponent(id)}`);
export const changes = (id, options) => send("GET", `home/api/stores/${id}/changes?${new URLSearchParams(options)}`);
export const history = (id, record) => send("POST", `home/api/stores/${id}/history`, { json: record });
export const repair = (id, extractor) => send("POST", `home/api/stores/${id}/repair`, { json: { extractor } });
export const pagePath = (id, options) => `home/api/stores/${id}/page?${new URLSearchParams(options)}`;
export const status = () => send("GET", "home/api/status");
export const extractors = () => send("GET", "home/api/extractors");
export const extractor = (name) => send("GET", `home/api/extractors/${encodeURIComponent(name)}`);
export const tests = (name) => send("GET", `home/api/extractors/${encodeURIComponent(name)}/tests`);
export const submit = (body) => send("POST", "?output=json", { body });
export const records = (id, name) => send("GET", `${id}/records?output=json&extractor=${encodeURIComponent(name)}`);
export const deleteDocument = (id) => send("DELETE", `${id}?output=json`);
