/** Requests to the service, as whoever is signed in: the browser sends a cookie that no script can read. */

/** Where the application is: a proxy may have it below a prefix. */
export const BASE = new URL("../../", import.meta.url);

/** The server refused a request; the message says why. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The server can't be reached. */
export class Unreachable extends Error {}

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const STALE = 403;

/** Who is signed in: `{signed_in, tenant, role, csrf}`, once it was asked for. */
let session = null;

/** Sign in with an access token; a `Problem` where it is not valid. */
export async function signIn(token) {
  session = requestJson("session", { method: "POST", body: JSON.stringify({ token }), headers: { "Content-Type": "application/json" }, signing: true }).then(({ value }) => value);
  try {
    return await session;
  } catch (error) {
    session = null;
    throw error;
  }
}

/** Sign out in all windows. */
export async function signOut() {
  await request("session", { method: "DELETE" });
  session = null;
}

/** Who is signed in. */
export async function whoIs() {
  session ??= requestJson("session").then(({ value }) => value);
  try {
    return await session;
  } catch (error) {
    session = null;
    throw error;
  }
}

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
export async function authorized(path, { signing = false, ...options } = {}) {
  const isWrite = WRITES.has(options.method) && !signing;
  const csrf = isWrite ? (await whoIs()).csrf : null;
  const own = csrf === null ? {} : { "Rowen-CSRF": csrf };
  try {
    const response = await fetch(new URL(path, BASE), { ...options, headers: { ...options.headers, ...own } });
    if (response.status === STALE && csrf !== null) session = null; // somebody signed in anew in another window
    return response;
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
