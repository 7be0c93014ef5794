// Pages about people: the browser's time zone chosen, what is to be passed on copied.
"use strict";

for (const list of document.querySelectorAll("select[data-zone]")) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...list.options].some((option) => option.value === here)) {
    list.value = here;
  }
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (navigator.clipboard) {
    button.hidden = false;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  }
});
