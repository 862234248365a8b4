import { useEffect, useRef } from "react";
import { announce } from "../../lib/announce.ts";
import { useNow, useNowValue } from "../../lib/world-clock.ts";
import { CODE_LIFETIME_MS, type IssuedCode } from "./flow.ts";

const MINUTE = 60_000;
/** Announced once each, when less than this is left: an announcement every second would be noise. */
const announcements: ReadonlyArray<readonly [number, string]> = [
  [0, "The access code expired"],
  [MINUTE, "The access code expires in one minute"],
  [5 * MINUTE, "The access code expires in five minutes"],
];

/** A code's remaining time on the world's clock; `fraction` is 1 when issued and 0 when expired. */
export const useCodeClock = (expiresAt: string) => {
  const leftMs = new Date(expiresAt).getTime() - useNow("world", 1000);
  const stage = announcements.findIndex(([below]) => leftMs <= below);
  const before = useRef(stage);
  useEffect(() => {
    const words = announcements[stage]?.[1];
    if (stage !== before.current && words) announce(words);
    before.current = stage;
  }, [stage]);
  return { leftMs, fraction: Math.min(1, Math.max(0, leftMs / CODE_LIFETIME_MS)), hasExpired: leftMs <= 0 };
};

/** Returns whether a code has expired on the world's clock; false without one. Renders only when this changes. */
export const useCodeExpired = (code: Pick<IssuedCode, "expires_at"> | null): boolean =>
  useNowValue("world", (now) => code !== null && Date.parse(code.expires_at) <= now);
