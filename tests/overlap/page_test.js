// SPDX-License-Identifier: BSD-3-Clause
// page_test.js PAGE BOX...: runs the scripts of a page that `windrow overlap report --html` has written, ticks the boxes of these numbers
// ("all": presses the button for that), and saves. Prints the file's name, how many are approved as the page says it, and the file.
"use strict";
const fs = require("fs");
const vm = require("vm");

const [file, ...ticked] = process.argv.slice(2);
const page = fs.readFileSync(file, "utf8");
const elements = new Map();

class Element {
  constructor(attributes = "") {
    this.listeners = {};
    this.dataset = { entry: (/data-entry="(\d+)"/.exec(attributes) || [])[1] };
    this.checked = / checked/.test(attributes);
    this.disabled = / disabled/.test(attributes);
    this.textContent = "";
  }
  addEventListener(event, act) {
    this.listeners[event] = act;
  }
  click() {
    if (this.download) saved = { name: this.download, text: files.get(this.href) };
    else this.listeners.click();
  }
}

let saved = null;
const files = new Map();
for (const [, attributes, id] of page.matchAll(/<(?:button|output|input)([^>]*id="([^"]+)"[^>]*)>/g)) elements.set(id, new Element(attributes));
for (const [, id, text] of page.matchAll(/<script type="application\/json" id="([^"]+)">([^]*?)<\/script>/g)) {
  elements.set(id, new Element());
  elements.get(id).textContent = text;
}
const boxes = [...elements.values()].filter((one) => one.dataset.entry !== undefined);
const browser = {
  document: {
    getElementById: (id) => elements.get(id),
    querySelectorAll: (which) => (which === "input[data-entry]" ? boxes : []),
    createElement: () => new Element(),
  },
  Blob: class {
    constructor(parts) {
      this.text = parts.join("");
    }
  },
  URL: {
    createObjectURL: (blob) => {
      files.set(`blob:${files.size}`, blob.text);
      return `blob:${files.size - 1}`;
    },
  },
};
for (const [, text] of page.matchAll(/<script>([^]*?)<\/script>/g)) vm.runInNewContext(text, browser);
for (const which of ticked) {
  if (which === "all") {
    elements.get("approve-all").click();
  } else {
    boxes[Number(which)].checked = true;
    boxes[Number(which)].listeners.change();
  }
}
elements.get("save-plan").click();
process.stdout.write(`${saved.name}\n${elements.get("approved").textContent}\n${saved.text}`);
