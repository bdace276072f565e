/* Pages opened from disk may not start workers. There, and only there, the search runs in a hidden
   frame that speaks to the page as a worker would. Nothing is fetched from anywhere else. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      const tell = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      inside.postMessage = (data) => setTimeout(() => tell(data));
      inside.importScripts = (...urls) =>
        Promise.all(urls.map((one) => new Promise((done, failed) => {
          const script = inside.document.createElement("script");
          script.src = one;
          script.onload = done;
          script.onerror = failed;
          inside.document.body.append(script);
        })));
      this.inside = inside;
      inside.importScripts(String(url)).then(() => {
        const kept = this.waiting;
        this.waiting = null;
        kept.forEach((data) => this.postMessage(data));
      });
      this.frame = frame;
    }
    postMessage(data) {
      if (this.waiting) return void this.waiting.push(data);
      const event = new MessageEvent("message", { data });
      if (this.inside.onmessage) this.inside.onmessage(event);
      else this.inside.dispatchEvent(event);
    }
    terminate() {
      this.frame.remove();
    }
  };
}
