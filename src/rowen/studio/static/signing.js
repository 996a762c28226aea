/** The screen on which people sign in. */
import { fill, h, stateOf } from "./dom.js";
import { signIn } from "./requests.js";

/** Ask for an access token until one is valid, then call `enter`. */
export function askToSignIn(container, enter, reason = null) {
  const field = h("input", { id: "token", type: "password", required: true, autocomplete: "off" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      await signIn(field.value);
    } catch (error) {
      askToSignIn(container, enter, `${error.message}.`);
      return;
    }
    enter();
  };
  const form = h("form", { class: "line", onsubmit: submit }, h("label", { for: "token" }, "Access token"), field, h("button", { class: "primary" }, "Sign in"));
  fill(
    container,
    stateOf({ sign: "→", title: "Sign in", text: "This service needs an access token. Its operator has made one for you." }),
    h("div", { class: "sign-in" }, form, reason && h("p", { class: "warning", role: "alert" }, reason)),
  );
  field.focus();
}
