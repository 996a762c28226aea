/** What the studio asks of the server. */

const ROOT = "/studio/api";

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
  let answer, told;
  try {
    answer = await fetch(ROOT + path, options);
    told = await answer.text();
  } catch {
    throw new Unreachable("the server can't be reached");
  }
  let value;
  try {
    value = JSON.parse(told);
  } catch {
    throw new Problem(answer.status, `the server answered ${answer.status} ${answer.statusText}`);
  }
  if (!answer.ok) throw new Problem(answer.status, value.detail ?? value.title ?? answer.statusText);
  return value;
}
