/** Requests to the service, with the access token of this window. */

/** Where the application is: a proxy may have it below a prefix. */
export const BASE = new URL("../../", import.meta.url);

const TOKEN = "rowen-token";

/** The server refused a request; the message says why. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The server can't be reached. */
export class Unreachable extends Error {}

/** Keep an access token for this window. Session storage forgets it when the window is closed. */
export function enter(token) {
  sessionStorage.setItem(TOKEN, token);
}

/** Whether this window has an access token, which requests must then carry. */
export const guarded = () => sessionStorage.getItem(TOKEN) !== null;

/** Send a request to a path below the application's address; the JSON of the response. */
export async function send(method, path, { json, body } = {}) {
  const options = { method, body };
  if (json !== undefined) {
    options.body = JSON.stringify(json);
    options.headers = { "Content-Type": "application/json" };
  }
  return (await requestJson(path, options)).value;
}

/** The response to a request, however it ends. */
export async function authorized(path, options = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const own = token === null ? {} : { Authorization: `Bearer ${token}` };
  try {
    return await fetch(new URL(path, BASE), { ...options, headers: { ...options.headers, ...own } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable("the server can't be reached");
  }
}

/** The response to a request, and its body as text. */
export async function request(path, options = {}) {
  const response = await authorized(path, options);
  try {
    return { response, text: await response.text() };
  } catch {
    throw new Unreachable("the server can't be reached");
  }
}

/** A file that the server makes: its name and its content. */
export async function file(path) {
  const response = await authorized(path);
  if (!response.ok) throw new Problem(response.status, (await response.json()).detail ?? response.statusText);
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition")) ?? [];
  return { name, content: await response.blob() };
}

/** The response to a request, and its body parsed as JSON. */
export async function requestJson(path, options = {}) {
  const { response, text } = await request(path, options);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem(response.status, `the server answered ${response.status} ${response.statusText}`);
  }
  if (!response.ok) throw new Problem(response.status, value.detail ?? value.title ?? response.statusText);
  return { response, value };
}
