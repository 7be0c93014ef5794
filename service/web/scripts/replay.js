// The replay by keys: they press the links that are on the page anyway.
"use strict";

const GO = {
  ArrowLeft: ["p", "b"],
  ArrowRight: ["n", "t"],
  Home: ["f", "f"],
  End: ["l", "l"],
};

function tellKeys() {
  for (const hint of document.querySelectorAll(".keys")) {
    hint.hidden = false;
  }
}

document.addEventListener("keydown", (event) => {
  const keys = GO[event.key];
  const busy = event.target.closest("input, textarea, select, summary, [role=group]");
  if (!keys || busy || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  const link = document.querySelector(`[data-go="${keys[event.shiftKey ? 1 : 0]}"]`);
  if (link) {
    event.preventDefault();
    link.click();
  }
});

// What is shown may be swapped for the next board without a new page.
document.addEventListener("emerald:shown", tellKeys);
tellKeys();
