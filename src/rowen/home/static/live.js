/** Tells a screen when something has changed on the server: a run has ended, a version was published. */
import { authorized } from "../../studio/static/requests.js";

/** Between attempts to connect, in milliseconds. */
const WAIT = 5000;

/** Call `changed` after each change, until the function that is returned is called. */
export function follow(changed) {
  const control = new AbortController();
  connect(control.signal, changed);
  return () => control.abort();
}

async function connect(signal, changed) {
  while (!signal.aborted) {
    try {
      const response = await authorized("home/api/events", { signal });
      if (response.ok) await read(response.body.pipeThrough(new TextDecoderStream()).getReader(), changed);
      else if (response.status < 500) return;
    } catch {
      // The server is gone for a moment, or the screen was left.
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT));
  }
}

async function read(reader, changed) {
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    if (events.some((event) => event.startsWith("data: "))) changed();
  }
}
