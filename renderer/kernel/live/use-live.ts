import { useEffect, useEffectEvent } from "react";
import type { LiveEntry, LiveKind } from "../../../sandbox/contract/live.ts";

type EntryOf<K extends LiveKind> = Extract<LiveEntry, { kind: K }>;
type Subscriber = (entries: readonly LiveEntry[]) => void;

const subscribers = new Set<Subscriber>();

/** Passes a frame's entries to all subscribers. */
export const dispatchLive: Subscriber = (entries) => {
  for (const subscriber of subscribers) subscriber(entries);
};

const isKind = <K extends LiveKind>(entry: LiveEntry, kind: K): entry is EntryOf<K> => entry.kind === kind;

/** Calls `handler` with the entries of one kind, at most once a frame and never with an empty list. */
export const useLive = <K extends LiveKind>(kind: K, handler: (entries: readonly EntryOf<K>[]) => void): void => {
  const hand = useEffectEvent(handler);
  useEffect(() => {
    const subscriber: Subscriber = (entries) => {
      const mine = entries.filter((entry): entry is EntryOf<K> => isKind(entry, kind));
      if (mine.length > 0) hand(mine);
    };
    subscribers.add(subscriber);
    return () => {
      subscribers.delete(subscriber);
    };
  }, [kind]);
};
