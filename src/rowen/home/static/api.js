/** The requests of home, extractors and operations. */
import { send } from "../../studio/static/requests.js";

export const overview = () => send("GET", "home/api/overview");
export const samplePages = () => send("POST", "home/api/samples/pages");
