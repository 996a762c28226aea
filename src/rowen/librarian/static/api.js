/** The requests of the library. */
import { Problem, authorized, request, requestJson, send } from "../../studio/static/requests.js";

export { Problem, Unreachable } from "../../studio/static/requests.js";

/** A selection of papers as the query of an address. @param {{query, facets}} chosen */
function queryOf({ query = "", facets = {} }, more = {}) {
  const params = new URLSearchParams();
  if (query) params.set("query", query);
  for (const [name, values] of Object.entries(facets)) for (const value of values) params.append(name, value);
  for (const [name, value] of Object.entries(more)) if (value !== null && value !== undefined && value !== false) params.set(name, value);
  return params;
}

const at = (paper) => `library/${encodeURIComponent(paper)}`;

export const papers = (chosen, options) => send("GET", `library?${queryOf(chosen, options)}`);
export const facets = (chosen) => send("GET", `library/facets?${queryOf(chosen)}`);
export const queue = () => send("GET", "library/queue");
export const retry = (ids) => send("POST", "library/queue", { json: ids ? { papers: ids } : {} });
export const tag = (selection, add, remove) => send("POST", "library/tags", { json: { ...selection, add, remove } });

export const paper = (id) => send("GET", at(id));
export const correct = (id, field, value, raw = "") => send("POST", `${at(id)}/corrections`, { json: { field, value, raw } });
export const restore = (id, number) => send("DELETE", `${at(id)}/corrections/${number}`);
export const addTag = (id, name) => send("POST", "library/tags", { json: { papers: [id], add: [name] } });
export const removeTag = (id, name) => send("POST", "library/tags", { json: { papers: [id], remove: [name] } });
export const note = (id, text) => send("POST", `${at(id)}/notes`, { json: { text } });
export const removeNote = (id, number) => send("DELETE", `${at(id)}/notes/${number}`);

/** Delete a paper; the answer has no content. */
export async function remove(id) {
  const { response } = await request(at(id), { method: "DELETE" });
  if (!response.ok) throw new Problem(response.status, response.statusText);
}

/** Send a file; what the library made of it. */
export async function add(file, name) {
  const form = new FormData();
  form.append("myfile", file, name);
  return (await requestJson("library", { method: "POST", body: form })).value;
}

/** Papers as a file. @param {{query, facets, papers, format, archive}} order */
export async function exported(order) {
  const headers = { "Content-Type": "application/json" };
  const response = await authorized("library/export", { method: "POST", body: JSON.stringify(order), headers });
  if (!response.ok) throw new Problem(response.status, (await response.json()).detail ?? response.statusText);
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition")) ?? [];
  return { name, content: await response.blob() };
}

/** The changes of the queue, as the text of server-sent events. */
export async function events(signal) {
  const response = await authorized("library/events", { signal });
  if (!response.ok) throw new Problem(response.status, response.statusText);
  return response.body.pipeThrough(new TextDecoderStream());
}

/** The original of a paper, under its own name. */
export async function original(id, name) {
  const response = await authorized(`${encodeURIComponent(id)}/file`);
  if (!response.ok) throw new Problem(response.status, (await response.json()).detail ?? response.statusText);
  return { name, content: await response.blob() };
}
