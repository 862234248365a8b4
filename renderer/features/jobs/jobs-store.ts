import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

/** How many jobs' unfinished work is remembered. */
const MOST_REMEMBERED = 30;

/** The form of one part, as it was left. */
export interface TypedPart {
  readonly description: string;
  readonly quantity: number | null;
  readonly note: string;
  readonly external: string;
}

/** What the person at this window has begun and not sent. Nothing the service knows is kept here. */
interface JobsState {
  readonly basketView: "compare" | "list";
  /** The offers chosen for a job, by `world job`; checked against the basket whenever they are used. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** Part lists pasted and not inserted yet, by `world job`. */
  readonly pasted: Readonly<Record<string, string>>;
  /** A part typed and not inserted yet, by `world job`. */
  readonly typed: Readonly<Record<string, TypedPart>>;
  /** Pictures of other machines that somebody asked for. */
  readonly fetched: readonly string[];
  readonly fetchPicture: (url: string) => void;
  readonly setBasketView: (view: "compare" | "list") => void;
  readonly choose: (key: string, sellableIds: readonly string[]) => void;
  readonly paste: (key: string, text: string) => void;
  readonly typePart: (key: string, part: TypedPart) => void;
}

/** The record with the key set last, or without it when there is nothing to remember; the oldest are forgotten. */
const remember = <V>(record: Readonly<Record<string, V>>, key: string, value: V, isEmpty: boolean) => {
  const { [key]: _before, ...others } = record;
  const kept = Object.entries(others).slice(-(MOST_REMEMBERED - 1));
  return Object.fromEntries(isEmpty ? kept : [...kept, [key, value] as const]);
};

const isUntouched = ({ description, quantity, note, external }: TypedPart): boolean =>
  description + note + external === "" && quantity === null;

export const useJobs = create<JobsState>()(
  persist(
    (set) => ({
      basketView: "compare",
      chosen: {},
      pasted: {},
      typed: {},
      fetched: [],
      fetchPicture: (url) => set(({ fetched }) => ({ fetched: [...fetched, url] })),
      setBasketView: (basketView) => set({ basketView }),
      choose: (key, sellableIds) =>
        set(({ chosen }) => ({ chosen: remember(chosen, key, sellableIds, sellableIds.length === 0) })),
      paste: (key, text) => set(({ pasted }) => ({ pasted: remember(pasted, key, text, text === "") })),
      typePart: (key, part) => set(({ typed }) => ({ typed: remember(typed, key, part, isUntouched(part)) })),
    }),
    {
      name: "explorer.jobs",
      version: 1,
      // A reload keeps it; another window begins its own.
      storage: createJSONStorage(() => window.sessionStorage),
      partialize: ({ basketView, chosen, pasted, typed }) => ({ basketView, chosen, pasted, typed }),
    },
  ),
);
