import { create } from "zustand";
import { combine } from "zustand/middleware";

/** What is asked before it is done. */
export interface WorldQuestion {
  readonly is: "reset" | "delete";
  readonly world: string;
}

/** What the list of worlds shows in its place. */
export type WorldsMode =
  | { readonly is: "list" }
  | { readonly is: "new" }
  | { readonly is: "copy"; readonly world: string }
  | WorldQuestion;

const closed = {
  mode: null as WorldsMode | null,
  /** Whether what is shown took the place of the list, and did not open by itself. */
  fromList: false,
};

export const useWorldsUi = create(
  combine(closed, (set) => ({
    /** Opens the list of worlds, or what takes its place; null closes it. */
    show: (mode: WorldsMode | null) =>
      set((before) => ({ mode, fromList: mode?.is === "list" || (before.mode !== null && before.fromList) })),
    /** Leaves what was asked: for the list it was asked in, or else for what is behind. */
    back: () => set(({ fromList }) => ({ mode: fromList ? { is: "list" } : null })),
  })),
);
