import { FeedHub, type HubPort } from "./feed-hub.ts";

/** The worker that all windows of the explorer in one browser share. */
const hub = new FeedHub();
addEventListener("connect", (event) => {
  for (const port of (event as MessageEvent & { readonly ports: readonly HubPort[] }).ports) hub.connect(port);
});
