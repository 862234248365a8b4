import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { navigate } from "wouter/use-browser-location";
import { App } from "./app/app.tsx";
import { followForgetting } from "./app/own-storage.ts";
import { prefetchPlace } from "./app/prefetch-place.ts";
import { createQueryClient } from "./app/query-client.ts";
import { leaveSignInPage, openWindow } from "./app/sign-in.ts";
import { followChoices } from "./app/ui-store.ts";
import "./app/theme/theme.css";
import { claimIn } from "./app/shell/claim.tsx";
import { followOpenedFiles } from "./app/shell/opened-files.ts";
import { desktopBridge } from "./lib/desktop-bridge.ts";
import { keepInSight } from "./lib/search-params.ts";
import { openSession } from "./lib/session.ts";
import { inWorld } from "./lib/world-address.ts";
import { DEFAULT_WORLD } from "./lib/world-name.ts";

leaveSignInPage();
openSession();
followForgetting();
followChoices();
const claim = claimIn(window.location);
// A reload shows what was in sight; a link that was opened shows what it opens among the rest.
const [opening] = performance.getEntriesByType("navigation");
if (opening instanceof PerformanceNavigationTiming && opening.type === "navigate") keepInSight(location.pathname, "");

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
  // A link from another program, or a notification that was clicked, sends this window to an address.
  desktopBridge()?.onGo((address) => {
    keepInSight(address);
    navigate(inWorld(address, DEFAULT_WORLD));
  });
}
