/** Times and lengths of time as people say them. */
import { h } from "../../studio/static/dom.js";

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago a time is, with the time itself on hovering. @param {string|number} moment ISO 8601, or seconds since 1970 */
export function ago(moment) {
  const date = new Date(typeof moment === "number" ? moment * 1000 : moment);
  const seconds = (date - Date.now()) / 1000;
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ["minute", 60];
  const count = Math.round(seconds / length);
  const text = Math.abs(seconds) < 45 ? "just now" : relative.format(count, unit);
  return h("time", { dateTime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** A date and time in full. */
export function exact(moment) {
  const date = new Date(moment);
  return h("time", { dateTime: date.toISOString() }, date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
}

/** "0.4 s", "12 s", "3 min 5 s", "1 h 4 min". */
export function lasted(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 0.1) return "under 0.1 s";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
