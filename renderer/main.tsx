import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { loadPlaceAt, loadPlacesLater } from "./app/places.ts";
import "./app/theme/theme.css";
import { followDesktop } from "./lib/desktop-window.ts";
import { openSession } from "./lib/session.ts";

openSession();

const root = document.getElementById("root");
if (root) {
  await loadPlaceAt(location.pathname);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  loadPlacesLater();
  followDesktop();
}
