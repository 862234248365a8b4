import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

/** What the person at this window chose. Nothing the service knows is kept here; unsent work is in drafts. */
interface JobsState {
  readonly basketView: "compare" | "list";
  /** Pictures of other machines that somebody asked for. */
  readonly fetched: readonly string[];
  readonly fetchPicture: (url: string) => void;
  readonly setBasketView: (view: "compare" | "list") => void;
}

export const useJobs = create<JobsState>()(
  persist(
    (set) => ({
      basketView: "compare",
      fetched: [],
      fetchPicture: (url) => set(({ fetched }) => ({ fetched: [...fetched, url] })),
      setBasketView: (basketView) => set({ basketView }),
    }),
    {
      name: "explorer.jobs",
      version: 1,
      // A reload keeps it; another window begins its own.
      storage: createJSONStorage(() => window.sessionStorage),
      partialize: ({ basketView }) => ({ basketView }),
    },
  ),
);
