// Search in pages that were opened from a folder. A browser starts no worker from `file:`, so the
// worker's script runs in a hidden frame instead, and messages pass between the two windows.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html><title>Search</title>";
      this.frame.addEventListener("load", () => this.start(String(address)), { once: true });
      document.body.append(this.frame);
    }

    start(address) {
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => setTimeout(() => this.receive(data));
      const script = inside.document.createElement("script");
      script.src = address;
      script.addEventListener("load", () => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.deliver(data));
      });
      script.addEventListener("error", () => this.dispatchEvent(new Event("error")));
      inside.document.head.append(script);
    }

    receive(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }

    deliver(data) {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else setTimeout(() => this.deliver(data));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
