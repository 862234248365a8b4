import { create } from "zustand";

interface SelectionState {
  /** The calls that are selected, by their ids; null: none are being selected. */
  readonly ids: ReadonlySet<string> | null;
  readonly begin: () => void;
  readonly end: () => void;
  readonly toggle: (id: string) => void;
}

/** Which calls a person gathers for one ticket or file. Of this window, until it is left. */
export const useSelection = create<SelectionState>()((set) => ({
  ids: null,
  begin: () => set({ ids: new Set() }),
  end: () => set({ ids: null }),
  toggle: (id) =>
    set(({ ids }) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      return { ids: next };
    }),
}));
