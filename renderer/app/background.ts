import { useEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { failureWords } from "../../sandbox/contract/control/failure-words.ts";
import { desktopBridge } from "../lib/desktop-bridge.ts";
import { namingWorld } from "../lib/world-address.ts";
import { DEFAULT_WORLD } from "../lib/world-name.ts";
import { useLive } from "./live/use-live.ts";
import { NOTIFIES, useNotifies } from "./notifies-store.ts";
import { followForgetting } from "./own-storage.ts";
import { hrefs } from "./places.ts";
import { useWorld } from "./world.ts";

/** Entries of before are shown again when a feed begins. Attempts are made on the real clock. */
const isNew = (at: string | null, since: number): boolean => at !== null && Date.parse(at) >= since;
const openedAt = Date.now();

/**
 * What goes on behind the page: a notice of the browser for deliveries that are given up (the desktop app has its own), and
 * forgetting with the window in which that was asked for. Draws nothing.
 */
export const Background = () => {
  const world = useWorld();
  const on = useNotifies((state) => state.on);
  useEffect(followForgetting, []);
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === NOTIFIES) void useNotifies.persist.rehydrate();
    };
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, []);
  useLive("delivery", (entries) => {
    if (!on || desktopBridge() !== null || !("Notification" in window) || Notification.permission !== "granted") return;
    const failed = entries.filter(({ data }) => data.status === "failed" && isNew(data.ended_at, openedAt));
    const newest = failed.at(-1)?.data;
    if (newest === undefined) return;
    const { title, body } = failureWords(newest, failed.length, world === DEFAULT_WORLD ? null : world);
    // One notice at a time, whatever fails and however many windows are open.
    const notice = new Notification(title, { body, tag: "failed-deliveries" });
    notice.addEventListener("click", () => {
      window.focus();
      navigate(namingWorld(hrefs.delivery(newest.id), world));
    });
  });
  return null;
};
