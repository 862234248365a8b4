import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { navigate } from "wouter/use-browser-location";
import { createQueryClient } from "./kernel/queries/query-client.ts";
import { leaveSignInPage, openWindow } from "./kernel/session/sign-in.ts";
import { followDeletion } from "./kernel/stores/own-storage.ts";
import { followChoices } from "./kernel/stores/ui-store.ts";
import { App } from "./shell/app.tsx";
import { prefetchPlace } from "./shell/places/prefetch-place.ts";
import "./kernel/theme/theme.css";
import { desktopBridge } from "./lib/desktop-bridge.ts";
import { clearStoredFilter } from "./lib/search-params.ts";
import { openSession } from "./lib/session.ts";
import { inWorld } from "./lib/world-address.ts";
import { DEFAULT_WORLD } from "./lib/world-name.ts";
import { followOpenedFiles } from "./shell/opened-files.ts";
import { claimIn } from "./shell/sign-in/claim.tsx";

leaveSignInPage();
openSession();
followDeletion();
followChoices();
const claim = claimIn(window.location);
// A reload keeps the list's filter; an opened link removes it, so that the linked item is listed.
const [opening] = performance.getEntriesByType("navigation");
if (opening instanceof PerformanceNavigationTiming && opening.type === "navigate")
  clearStoredFilter(location.pathname, "");

const root = document.getElementById("root");
if (root) {
  const client = createQueryClient();
  if (claim === null) {
    await openWindow();
    await prefetchPlace(client);
  }
  createRoot(root).render(
    <StrictMode>
      <App client={client} claim={claim} />
    </StrictMode>,
  );
  followOpenedFiles(client);
  // A link from another program, or a clicked notification, opens an address in this window.
  desktopBridge()?.onGo((address) => {
    clearStoredFilter(address);
    navigate(inWorld(address, DEFAULT_WORLD));
  });
}
