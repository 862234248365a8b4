import { create } from "zustand";

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

interface WorldsUi {
  readonly mode: WorldsMode | null;
  /** Whether what is shown took the place of the list, and did not open by itself. */
  readonly fromList: boolean;
  /** Opens the list of worlds, or what takes its place; null closes it. */
  readonly show: (mode: WorldsMode | null) => void;
  /** Leaves what was asked: for the list it was asked in, or else for what is behind. */
  readonly back: () => void;
}

export const useWorldsUi = create<WorldsUi>()((set) => ({
  mode: null,
  fromList: false,
  show: (mode) =>
    set((before) => ({ mode, fromList: mode?.is === "list" || (before.mode !== null && before.fromList) })),
  back: () => set(({ fromList }) => ({ mode: fromList ? { is: "list" } : null })),
}));
