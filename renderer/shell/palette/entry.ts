import type { IconOf } from "../../components/icon.tsx";

/** One thing the search can go to or do. */
export interface Entry {
  readonly id: string;
  readonly icon: IconOf;
  readonly label: string;
  /** What it is found by, beside its label. */
  readonly words?: string;
  readonly aside?: string;
  /** What it is about, in a line of its own. */
  readonly reason?: string | undefined;
  /** When it happened, in real time. */
  readonly at?: string | undefined;
  /** The keys that do the same. */
  readonly keys?: string;
  readonly run: () => void;
}
export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}
export type Go = (href: string) => void;

/** Whether a text holds every typed word, whatever the case. */
export const matchesWords = (text: string, typed: string): boolean => {
  const whole = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
};
