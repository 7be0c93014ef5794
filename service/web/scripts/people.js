// Pages about people: the browser's time zone is chosen, what is to be passed on can be copied.
"use strict";

(() => {
  function reveal() {
    for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = !navigator.clipboard;
  }

  for (const list of document.querySelectorAll("select[data-zone]")) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if ([...list.options].some((option) => option.value === here)) list.value = here;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done;
    } catch {
      field.select();
    }
  });

  document.addEventListener("emerald:shown", reveal);
  reveal();
})();
