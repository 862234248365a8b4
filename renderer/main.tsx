import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { navigate } from "wouter/use-browser-location";
import { App } from "./app/app.tsx";
import { loadPlaceAt } from "./app/places.ts";
import "./app/theme/theme.css";
import { desktopBridge } from "./lib/desktop-bridge.ts";
import { openSession } from "./lib/session.ts";
import { inWorld } from "./lib/world-address.ts";
import { DEFAULT_WORLD } from "./lib/world-name.ts";

openSession();

const root = document.getElementById("root");
if (root) {
  await loadPlaceAt(location.pathname);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  // A link from another program, or a notification that was clicked, sends this window to an address.
  desktopBridge()?.onGo((address) => navigate(inWorld(address, DEFAULT_WORLD)));
}
