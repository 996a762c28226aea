/** The requests that the studio sends to the server. */

import { Problem, authorized, file, requestJson, send } from "./requests.js";

export { Problem, Unreachable, signIn } from "./requests.js";

const ROOT = "studio/api";

export const settings = () => call("GET", "/settings");
export const fetchPage = (url) => call("POST", "/fetch", { json: { url } });
export const sample = () => call("GET", "/sample");
export const projects = () => call("GET", "/projects");
export const createProject = (name) => call("POST", "/projects", { json: { name } });
export const project = (name) => call("GET", at(name));
export const deleteProject = (name) => call("DELETE", at(name));
export const renameProject = (name, newName) => call("PATCH", at(name), { json: { name: newName } });
export const copyProject = (name, newName) => call("POST", `${at(name)}/copy`, { json: { name: newName } });
export const addPage = (name, page, content) =>
  call("POST", `${at(name)}/pages?page=${encodeURIComponent(page)}`, { body: content });
export const attach = (name, page, url, content) =>
  call("POST", `${at(name, page)}/files?url=${encodeURIComponent(url)}`, { body: content });
export const act = (name, revision, action) =>
  call("POST", `${at(name)}/actions`, { json: { revision, action } });
export const undo = (name, revision) => call("POST", `${at(name)}/undo`, { json: { revision } });
export const redo = (name, revision) => call("POST", `${at(name)}/redo`, { json: { revision } });
export const proposals = (name) => call("GET", `${at(name)}/proposals`);
export const firstProposals = (name, page) => call("GET", `${at(name)}/proposals/first?page=${encodeURIComponent(page)}`);
export const stopLearning = (name) => call("POST", `${at(name)}/proposals/stop`);
export const judgement = (name) => call("GET", `${at(name)}/judgement`);
export const view = (name, page) => call("GET", `${at(name, page)}/view`);
export const source = (name, page) => call("GET", `${at(name, page)}/source`);
export const readings = (name, page, spans, type = "text") => call("POST", `${at(name, page)}/readings`, { json: { spans, type } });
export const positions = (name, page, text) => call("POST", `${at(name, page)}/positions`, { json: { text } });
export const recognized = (name, page, use) =>
  call("GET", `${at(name, page)}/recognized?use=${encodeURIComponent(use)}`);

export const tables = (name) => call("GET", `${at(name)}/tables`);
export const places = (name, page, wrappers) => call("POST", `${at(name, page)}/places`, { json: { wrappers } });
export const more = (name) => call("GET", `${at(name)}/more`);
export const addMore = (name, page, content) =>
  call("POST", `${at(name)}/more?page=${encodeURIComponent(page)}`, { body: content });
export const clearMore = (name) => call("DELETE", `${at(name)}/more`);
export const data = (name, first) => call("GET", `${at(name)}/data?first=${first}`);
export const code = (name) => call("GET", `${at(name)}/data/code`);
export const dataFile = (name, format) => file(`${ROOT}${at(name)}/data/file?format=${format}`);
export const wrapperFile = (name) => file(`${ROOT}${at(name)}/data/wrapper`);

export const rehearsal = (name) => call("GET", `${at(name)}/rehearsal`);
export const publish = (name, version) => call("POST", `${at(name)}/publish`, { json: version });
export const versions = (name) => call("GET", `${at(name)}/versions`);
export const version = (name, number) => call("GET", `${at(name)}/versions/${number}`);
export const visit = (name) => call("GET", `${at(name)}/visit`);
export const addVisit = (name, page, content) =>
  call("POST", `${at(name)}/visit?page=${encodeURIComponent(page)}`, { body: content });
export const clearVisit = (name) => call("DELETE", `${at(name)}/visit`);
export const inspection = (name, number) => call("GET", `${at(name)}/inspection?version=${number}`);
export const repair = (name, number) => call("GET", `${at(name)}/repair?version=${number}`);
export const acceptRepair = (name, number) => call("POST", `${at(name)}/repair`, { json: { version: number } });

/** Send a document to the service, through the same interface as any client. */
export async function submit(file) {
  const form = new FormData();
  form.append("myfile", file);
  return (await requestJson("?output=json", { method: "POST", body: form })).value;
}

/** Where a document's header came from: the response's `Rowen-Reuse` header. */
export async function reuse(id) {
  return (await requestJson(`${encodeURIComponent(id)}/header?output=json`)).response.headers.get("Rowen-Reuse");
}

function at(name, page) {
  const project = `/projects/${encodeURIComponent(name)}`;
  return page === undefined ? project : `${project}/pages/${encodeURIComponent(page)}`;
}

const call = (method, path, content) => send(method, ROOT + path, content);

/** The changes of a project, as the text of server-sent events. */
export async function events(name, signal) {
  const response = await authorized(`${ROOT}${at(name)}/events`, { signal });
  if (!response.ok) throw new Problem(response.status, response.statusText);
  return response.body.pipeThrough(new TextDecoderStream());
}
