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
export type Go = (href: string) => void;

/** Where the entry is that Enter runs: the one a person moved to, by its id, because others come in above it; else the first. */
export const chosenAt = (entries: readonly Pick<PaletteEntry, "id">[], chosen: string | null): number =>
  chosen === null ? 0 : entries.findIndex(({ id }) => id === chosen);

/** An entry that is found by its label and more words. */
export const known = (
  id: string,
  icon: IconOf,
  label: string,
  words: string,
  run: () => void,
  aside?: ReactNode,
): KnownEntry => ({ id, icon, label, words, run, aside });

const isLetterOrDigit = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

const beginsAWord = (text: string, part: string): boolean => {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (!isLetterOrDigit(text[at - 1])) return true;
  return false;
};

/** Whether every typed part begins a word of the text, whatever the case: "new j" finds "New job", "jobs.get" also "repairer.jobs.get". */
export const matchesWords = (text: string, typed: string): boolean => {
  const whole = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => beginsAWord(whole, part));
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
