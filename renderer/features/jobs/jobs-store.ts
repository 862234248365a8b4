import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

/** How many jobs' unfinished work is remembered. */
const MOST_REMEMBERED = 30;

/** What the person at this window has begun and not sent. Nothing the service knows is kept here. */
interface JobsState {
  /** What the list was left with, as the query of an address: for addresses of the place that do not say. */
  readonly filter: string;
  readonly basketView: "compare" | "list";
  /** The offers chosen for a job, by `world job`; checked against the basket whenever they are used. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** Part lists pasted and not inserted yet, by `world job`. */
  readonly pasted: Readonly<Record<string, string>>;
  readonly keepFilter: (query: string) => void;
  readonly setBasketView: (view: "compare" | "list") => void;
  readonly choose: (key: string, sellableIds: readonly string[]) => void;
  readonly paste: (key: string, text: string) => void;
}

/** The record with the key set last, or without it when there is nothing to remember; the oldest are forgotten. */
const remember = <V extends { readonly length: number }>(
  record: Readonly<Record<string, V>>,
  key: string,
  value: V,
) => {
  const { [key]: _before, ...others } = record;
  const kept = Object.entries(others).slice(-(MOST_REMEMBERED - 1));
  return Object.fromEntries(value.length === 0 ? kept : [...kept, [key, value] as const]);
};

export const useJobs = create<JobsState>()(
  persist(
    (set) => ({
      filter: "",
      basketView: "compare",
      chosen: {},
      pasted: {},
      keepFilter: (filter) => set({ filter }),
      setBasketView: (basketView) => set({ basketView }),
      choose: (key, sellableIds) => set(({ chosen }) => ({ chosen: remember(chosen, key, sellableIds) })),
      paste: (key, text) => set(({ pasted }) => ({ pasted: remember(pasted, key, text) })),
    }),
    {
      name: "explorer.jobs",
      version: 1,
      // A reload keeps it; another window begins its own.
      storage: createJSONStorage(() => window.sessionStorage),
      partialize: ({ filter, basketView, chosen, pasted }) => ({ filter, basketView, chosen, pasted }),
    },
  ),
);
