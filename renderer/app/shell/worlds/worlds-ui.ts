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
  /** Opens the list of worlds, or what takes its place; null closes it. */
  readonly show: (mode: WorldsMode | null) => void;
}

export const useWorldsUi = create<WorldsUi>()((set) => ({ mode: null, show: (mode) => set({ mode }) }));
