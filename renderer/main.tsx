import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { loadPlaceAt } from "./app/places.ts";
import "./app/theme/theme.css";
import { followDesktop } from "./lib/desktop-window.ts";
import { fetchLate } from "./lib/late.ts";
import { openSession } from "./lib/session.ts";

/** When the first place is drawn and of use: then nothing it needs is kept waiting. */
const AFTER_FIRST_USE_MS = 1_500;

openSession();

const root = document.getElementById("root");
if (root) {
  await loadPlaceAt(location.pathname);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  setTimeout(fetchLate, AFTER_FIRST_USE_MS);
  followDesktop();
}
