import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { clockGet } from "../../../sandbox/contract/control/world-operations.ts";
import { callControl } from "../../lib/service-client.ts";
import { dropToken } from "../../lib/session.ts";
import { setWorldClockOffset } from "../../lib/world-clock.ts";
import { worldKeys } from "../query-keys.ts";
import { createCacheSync } from "./cache-sync.ts";
import { useConnection } from "./connection-store.ts";
import { openLiveFeed } from "./live-feed.ts";
import { dispatchLive } from "./use-live.ts";

/** The window's one reader of its world's live feed. Draws nothing. */
export const LiveFeedReader = ({ world, token }: { world: string; token: string }) => {
  const client = useQueryClient();
  useEffect(() => {
    const sync = createCacheSync(client, world);
    const connection = useConnection.getState();
    let downSince: number | null = null;
    let seen = false;
    const readClock = async () => {
      const clock = await client.fetchQuery({
        queryKey: worldKeys(world).clock(),
        queryFn: ({ signal }) => callControl(clockGet, { world }, { signal }),
        staleTime: 0,
      });
      setWorldClockOffset(clock.offset_seconds);
    };
    const clockChanged = () => void readClock().catch(() => undefined);
    return openLiveFeed(world, token, {
      onReady: ({ version }, fresh) => {
        downSince = null;
        connection.set({ state: "live", version });
        // The service is another one, perhaps of another version; what was cached before says nothing about it.
        if (seen && fresh) sync.refreshAll();
        seen = true;
        clockChanged();
      },
      onEntries: (entries) => {
        connection.touched(Date.now());
        sync.take(entries);
        if (entries.some((entry) => entry.kind === "world")) clockChanged();
        dispatchLive(entries);
      },
      onReset: sync.startAnew,
      onDown: (retryAt) => {
        downSince ??= Date.now();
        connection.set({ state: "reconnecting", since: downSince, retryAt });
      },
      onRefused: () => dropToken(token),
    });
  }, [client, world, token]);
  return null;
};
