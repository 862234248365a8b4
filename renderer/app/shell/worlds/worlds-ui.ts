import { create } from "zustand";

/** What the list of worlds shows in its place. */
export type WorldsMode =
  | { readonly is: "list" }
  | { readonly is: "new" }
  | { readonly is: "copy"; readonly world: string };

/** What is asked before it is done, because it cannot be taken back. */
export interface WorldQuestion {
  readonly act: "reset" | "delete";
  readonly world: string;
}

interface WorldsUi {
  readonly mode: WorldsMode | null;
  readonly question: WorldQuestion | null;
  /** Opens the list of worlds, or one of its forms; null closes it. */
  readonly show: (mode: WorldsMode | null) => void;
  readonly ask: (question: WorldQuestion | null) => void;
}

export const useWorldsUi = create<WorldsUi>()((set) => ({
  mode: null,
  question: null,
  show: (mode) => set({ mode }),
  ask: (question) => set(question === null ? { question } : { question, mode: null }),
}));
