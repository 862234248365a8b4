import { create } from "zustand";
import { combine, persist } from "zustand/middleware";
import type { Tone } from "../components/state.tsx";
import { keptIn } from "../lib/storage.ts";

/** What is told. */
export interface Notice {
  readonly title: string;
  readonly detail?: string | undefined;
  /** Where it leads, in the world it is about: it may be read in another. */
  readonly link?: { readonly href: string; readonly label: string; readonly world: string } | undefined;
  /** What a restore of this checkpoint brings back, or what is done; that does not outlast the page. */
  readonly undo?: { readonly world: string; readonly checkpoint: string } | (() => Promise<void>) | null;
}
export interface NewNotice extends Omit<Notice, "link"> {
  /** The address names its world. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  /** Milliseconds of real time; of the last time when it was told more than once. */
  readonly at: number;
  readonly tone: Tone;
}
/** What was told to the person in this window, to be read again. */
export interface NoticeEntry extends NewNotice {
  readonly id: number;
  /** How often the same was told without anything between. */
  readonly times: number;
  /** Whether it lies over the page. */
  readonly open: boolean;
  readonly read: boolean;
}

/** More than these are forgotten, the oldest first; failures nobody has closed last of all. */
export const MOST_KEPT = 100;

/** The same words about another thing, as their link says, are something else. */
const isSame = (entry: NoticeEntry | undefined, { tone, title, detail, link, undo }: NewNotice): boolean =>
  !undo && entry?.tone === tone && entry.title === title && entry.detail === detail && entry.link?.href === link?.href;

const undoneWorld = ({ undo }: Pick<Notice, "undo">): string | null => (undo && "world" in undo ? undo.world : null);

/**
 * Newest first. A notice that repeats the one before is told again, not twice. What was done to a world is not undone
 * past what was done to it since.
 */
export const withNotice = (entries: readonly NoticeEntry[], notice: NewNotice): readonly NoticeEntry[] => {
  const [newest, ...older] = entries;
  if (newest && isSame(newest, notice))
    return [{ ...newest, ...notice, times: newest.times + 1, open: true, read: false }, ...older];
  const id = Math.max(0, ...entries.map((entry) => entry.id)) + 1;
  const world = undoneWorld(notice);
  const before = entries.map((entry) =>
    world !== null && undoneWorld(entry) === world ? { ...entry, undo: null } : entry,
  );
  const all = [{ ...notice, id, times: 1, open: true, read: false }, ...before];
  if (all.length <= MOST_KEPT) return all;
  const expendable = all.findLastIndex(({ tone, open }) => !(tone === "bad" && open));
  return all.toSpliced(expendable < 0 ? all.length - 1 : expendable, 1);
};

/** Takes a notice off the page; it stays in the list. One the person closed has been read. */
export const withClosed = (entries: readonly NoticeEntry[], id: number, read: boolean): readonly NoticeEntry[] =>
  entries.map((entry) => (entry.id === id ? { ...entry, open: false, read: entry.read || read } : entry));

export const useNotices = create(
  persist(
    combine({ entries: [] as readonly NoticeEntry[], listOpen: false }, (set) => ({
      tell: (notice: NewNotice) => set(({ entries }) => ({ entries: withNotice(entries, notice) })),
      close: (id: number, read: boolean) => set(({ entries }) => ({ entries: withClosed(entries, id, read) })),
      /** What could be undone was. */
      settle: (id: number) =>
        set(({ entries }) => ({
          entries: withClosed(entries, id, true).map((entry) => (entry.id === id ? { ...entry, undo: null } : entry)),
        })),
      showList: (listOpen: boolean) =>
        set(({ entries }) => ({ listOpen, entries: entries.map((entry) => ({ ...entry, read: true })) })),
    })),
    {
      name: "explorer.notices",
      version: 1,
      storage: keptIn("window"),
      // After a reload a failure that nobody closed is there again; the rest can be read in the list.
      partialize: ({ entries }) => ({
        entries: entries.map((entry) => ({ ...entry, open: entry.open && entry.tone === "bad" })),
      }),
    },
  ),
);
