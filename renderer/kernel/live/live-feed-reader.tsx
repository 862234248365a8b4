import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState } from "react";
import { RESTORED } from "../../../sandbox/contract/live.ts";
import { useDrawn } from "../../components/use-drawn.ts";
import { noteResponse } from "../../lib/service-reach.ts";
import { dropToken } from "../../lib/session.ts";
import { noteCall } from "../../lib/world-calls.ts";
import { setWorldClockOffset } from "../../lib/world-clock.ts";
import { notify } from "../notices/notices.tsx";
import { worldKeys } from "../queries/query-keys.ts";
import { clockQuery, worldsQuery } from "../queries/world-queries.ts";
import { createCacheSync } from "./cache-sync.ts";
import { useConnection } from "./connection-store.ts";
import { knownWorlds } from "./known-worlds.ts";
import { openLiveFeed } from "./live-feed.ts";
import { dispatchLive } from "./use-live.ts";

/** Returns the entry script of an explorer page; its name changes with every different build. */
export const entryIn = (html: string): string | null =>
  /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/.exec(html)?.[1] ?? null;

/** Returns whether the service serves this page's build of the explorer; true if unknown. */
export const servesThisBuild = async (): Promise<boolean> => {
  const here = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? null;
  try {
    const response = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
    const there = response.ok ? entryIn(await response.text()) : null;
    return here === null || there === null || here === there;
  } catch {
    return true;
  }
};

/** The version of the service this page was loaded from. */
let pageVersion: string | null = null;

const checkBuild = async (version: string) => {
  if (pageVersion === null) {
    pageVersion = version;
    return;
  }
  const fits = version === pageVersion && (await servesThisBuild());
  useConnection.setState({ otherBuild: fits ? null : { version, pageVersion } });
};

/** The window's only reader of its world's live feed. Renders nothing. */
export const LiveFeedReader = ({ world, token }: { world: string; token: string }) => {
  const client = useQueryClient();
  const ahead = useQuery(clockQuery(world)).data?.offset_seconds ?? 0;
  useLayoutEffect(() => setWorldClockOffset(ahead), [ahead]);
  const isDrawn = useDrawn();
  const [drawing] = useState(() => Promise.withResolvers<void>());
  useEffect(() => {
    if (isDrawn) drawing.resolve();
  }, [isDrawn, drawing]);
  useEffect(() => {
    const sync = createCacheSync(client, world);
    const set = useConnection.setState;
    let closed = false;
    let downSince: number | null = null;
    set({ connection: { state: "connecting" }, lastEntryAt: null });

    /** Counts a reset or a restore, and shows a notice unless this window caused it. */
    const noteReplacement = (how: "reset" | "restored", detail: string) => {
      set(({ replacements }) => ({ replacements: replacements + 1 }));
      if (!knownWorlds.wasExpected(world)) notify.tell({ title: `World ${world} was ${how}`, detail });
    };
    /**
     * After a connection, a gap or a reset: checks whether the cached world still exists, was replaced or was deleted.
     */
    const checkWorld = async (
      reason: string,
      whenSame: () => void,
      { isThere = false, isRestored = false } = {},
    ): Promise<void> => {
      const listed = await client.fetchQuery({ ...worldsQuery(), staleTime: 0 }).catch(() => null);
      if (closed) return;
      const verdict = listed === null ? "same" : knownWorlds.compare(world, listed);
      if (verdict === "missing" && !isThere) {
        void client.cancelQueries({ queryKey: worldKeys(world).all });
        set({ missing: { world, reason } });
      } else if (verdict === "another") {
        sync.startOver();
        noteReplacement(isRestored ? "restored" : "reset", reason);
      } else if (verdict === "new") {
        // Reading again must not delay the first render.
        await drawing.promise;
        if (!closed) whenSame();
      } else {
        if (isRestored) noteReplacement("restored", reason);
        whenSame();
      }
    };

    const feed = openLiveFeed(world, token, {
      onMissing: () => {
        noteResponse();
        void client.cancelQueries({ queryKey: worldKeys(world).all });
        set({ missing: { world, reason: "No world has this name." } });
      },
      onReady: ({ version }, fresh) => {
        if (useConnection.getState().missing?.world === world) {
          set({ missing: null });
          sync.startOver();
        }
        downSince = null;
        set({ connection: { state: "live", version } });
        noteCall(world, Date.now());
        noteResponse();
        void checkBuild(version);
        // A resumed feed replays the gap's entries, but reads that failed meanwhile are still missing.
        const read = sync.alreadyRead();
        void checkWorld(
          "It was reset while the connection was down.",
          fresh ? () => sync.refreshAll(read) : sync.retryFailed,
          // The feed is open, so the world exists: a list requested earlier may not include it.
          { isThere: true },
        );
      },
      onEntries: (entries) => {
        set({ lastEntryAt: Date.now() });
        sync.take(entries);
        if (entries.some((entry) => entry.kind === "request")) noteCall(world, Date.now());
        dispatchLive(entries);
      },
      onReset: ({ reason }) =>
        void checkWorld(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`, () => sync.refreshAll(), {
          isRestored: reason === RESTORED,
        }),
      onDown: (retryAt, why) => {
        if (closed) return;
        if (why !== null) noteResponse();
        downSince ??= Date.now();
        set({ connection: { state: "reconnecting", since: downSince, retryAt, why } });
      },
      onRefused: () => dropToken(token),
    });
    set({ retry: feed.retry });
    return () => {
      closed = true;
      feed.close();
      set({ connection: { state: "connecting" } });
    };
  }, [client, world, token, drawing]);
  return null;
};
