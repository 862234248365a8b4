import type { IconOf } from "../../components/icon.tsx";

/** A search result: a destination or a command. */
export interface Entry {
  readonly id: string;
  readonly icon: IconOf;
  readonly label: string;
  /** Search terms beside the label. */
  readonly words?: string;
  readonly aside?: string;
  /** A description, on its own line. */
  readonly reason?: string | undefined;
  /** Time of the event, in real time. */
  readonly at?: string | undefined;
  /** A key with the same effect. */
  readonly keys?: string;
  readonly run: () => void;
}
export interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}
export type Go = (href: string) => void;

/** Returns whether a text contains every typed word, ignoring case. */
export const matchesWords = (text: string, typed: string): boolean => {
  const whole = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
};
