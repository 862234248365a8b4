import type { ReactNode } from "react";
import type { IconOf } from "../../../components/icon.tsx";

/** One thing the palette can go to or do. */
export interface PaletteEntry {
  readonly id: string;
  readonly icon: IconOf;
  readonly label: string;
  readonly aside?: ReactNode;
  readonly run: () => void;
}
/** One that is found by words of its own, not asked of the service. */
export interface KnownEntry extends PaletteEntry {
  /** What it is found by, beside its label. */
  readonly words: string;
}
export interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** Whether every typed word begins somewhere in the text, whatever the case: "new j" finds "New job". */
export const matchesWords = (text: string, typed: string): boolean => {
  const words = text.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)));
};

/** Cuts a label at the typed words, so that what matched can be set off: ["TRC", true], ["-20397-1", false]. */
export const matchedPieces = (label: string, typed: string): ReadonlyArray<readonly [string, boolean]> => {
  const first = typed.trim().split(/\s+/)[0] ?? "";
  const at = first === "" ? -1 : label.toLowerCase().indexOf(first.toLowerCase());
  if (at < 0) return [[label, false]];
  const pieces = [
    [label.slice(0, at), false],
    [label.slice(at, at + first.length), true],
    [label.slice(at + first.length), false],
  ] as const;
  return pieces.filter(([text]) => text !== "");
};
