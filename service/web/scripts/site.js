// What every page is nicer with: times of strangers in their own zone.
"use strict";

for (const time of document.querySelectorAll("time[data-local]")) {
  const at = new Date(time.dateTime);
  time.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
