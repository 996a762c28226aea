/** What the studio asks of the server. */

const ROOT = "/studio/api";
const TOKEN = "rowen-token";

/** The server has refused something, and tells why. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The server can't be reached. */
export class Unreachable extends Error {}

export const settings = () => call("GET", "/settings");
export const fetchPage = (url) => call("POST", "/fetch", { json: { url } });
export const sample = () => call("GET", "/sample");
export const projects = () => call("GET", "/projects");
export const createProject = (name) => call("POST", "/projects", { json: { name } });
export const project = (name) => call("GET", at(name));
export const deleteProject = (name) => call("DELETE", at(name));
export const addPage = (name, page, content) =>
  call("POST", `${at(name)}/pages?page=${encodeURIComponent(page)}`, { body: content });
export const act = (name, revision, action) =>
  call("POST", `${at(name)}/actions`, { json: { revision, action } });
export const undo = (name, revision) => call("POST", `${at(name)}/undo`, { json: { revision } });
export const redo = (name, revision) => call("POST", `${at(name)}/redo`, { json: { revision } });
export const proposals = (name) => call("GET", `${at(name)}/proposals`);
export const judgement = (name) => call("GET", `${at(name)}/judgement`);
export const view = (name, page) => call("GET", `${at(name, page)}/view`);
export const source = (name, page) => call("GET", `${at(name, page)}/source`);
export const recognized = (name, page, use) =>
  call("GET", `${at(name, page)}/recognized?use=${encodeURIComponent(use)}`);

export const rehearsal = (name) => call("GET", `${at(name)}/rehearsal`);
export const publish = (name, asked) => call("POST", `${at(name)}/publish`, { json: asked });
export const versions = (name) => call("GET", `${at(name)}/versions`);
export const version = (name, number) => call("GET", `${at(name)}/versions/${number}`);
export const visit = (name) => call("GET", `${at(name)}/visit`);
export const addVisit = (name, page, content) =>
  call("POST", `${at(name)}/visit?page=${encodeURIComponent(page)}`, { body: content });
export const clearVisit = (name) => call("DELETE", `${at(name)}/visit`);
export const inspection = (name, number) => call("GET", `${at(name)}/inspection?version=${number}`);
export const repair = (name, number) => call("GET", `${at(name)}/repair?version=${number}`);
export const acceptRepair = (name, number) => call("POST", `${at(name)}/repair`, { json: { version: number } });

export const stores = () => call("GET", "/stores");
export const runs = (store) => call("GET", `/stores/${store}`);
export const changes = (store, extractor, snapshot) =>
  call("GET", `/stores/${store}/changes?extractor=${encodeURIComponent(extractor)}&snapshot=${snapshot}`);

/** Give the service a document, as any client does. */
export async function submit(file) {
  const form = new FormData();
  form.append("myfile", file);
  return (await ask("/?output=json", { method: "POST", body: form })).value;
}

/** What the service says of where a document's header came from. */
export async function reuse(id) {
  return (await ask(`/${encodeURIComponent(id)}/header?output=json`)).answer.headers.get("Rowen-Reuse");
}

function at(name, page) {
  const project = `/projects/${encodeURIComponent(name)}`;
  return page === undefined ? project : `${project}/pages/${encodeURIComponent(page)}`;
}

async function call(method, path, { json, body } = {}) {
  const options = { method, body };
  if (json !== undefined) {
    options.body = JSON.stringify(json);
    options.headers = { "Content-Type": "application/json" };
  }
  return (await ask(ROOT + path, options)).value;
}

/** Come in with a token, where the service asks for one; it is forgotten with the window. */
export function enter(token) {
  sessionStorage.setItem(TOKEN, token);
}

/** The page of a paper with what was found on it. */
export async function paper(id) {
  const { answer, told } = await fetched(`/studio/papers/${encodeURIComponent(id)}`);
  if (!answer.ok) throw new Problem(answer.status, JSON.parse(told).detail);
  return told;
}

/** Whether the service asks for tokens. */
export const guarded = () => sessionStorage.getItem(TOKEN) !== null;

async function fetched(path, options = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...options.headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
  try {
    const answer = await fetch(path, { ...options, headers });
    return { answer, told: await answer.text() };
  } catch {
    throw new Unreachable("the server can't be reached");
  }
}

/** An answer with what it says as JSON. */
async function ask(path, options = {}) {
  const { answer, told } = await fetched(path, options);
  let value;
  try {
    value = JSON.parse(told);
  } catch {
    throw new Problem(answer.status, `the server answered ${answer.status} ${answer.statusText}`);
  }
  if (!answer.ok) throw new Problem(answer.status, value.detail ?? value.title ?? answer.statusText);
  return { answer, value };
}
