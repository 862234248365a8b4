import { create } from "zustand";
import { persist } from "zustand/middleware";
import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/resources/procurement.ts";

/** Which states the list shows; null is all of them. */
export type StateFilter = ProcurementStatus | null;

/** Choices of the person in this place; nothing the service knows. */
interface ProcurementsState {
  readonly search: string;
  readonly state: StateFilter;
  /** Whether long values break into lines instead of being cut. */
  readonly wrap: boolean;
  /** Whether what the last transition changed is marked. */
  readonly marks: boolean;
  /** Whether the trace also shows calls that only read. */
  readonly reads: boolean;
  readonly setSearch: (search: string) => void;
  readonly setState: (state: StateFilter) => void;
  readonly toggleWrap: () => void;
  readonly toggleMarks: () => void;
  readonly toggleReads: () => void;
}

const isFilter = (value: unknown): value is StateFilter =>
  value === null || procurementStatuses.some((status) => status === value);

export const useProcurementsUi = create<ProcurementsState>()(
  persist(
    (set) => ({
      search: "",
      state: null,
      wrap: false,
      marks: true,
      reads: false,
      setSearch: (search) => set({ search }),
      setState: (state) => set({ state }),
      toggleWrap: () => set(({ wrap }) => ({ wrap: !wrap })),
      toggleMarks: () => set(({ marks }) => ({ marks: !marks })),
      toggleReads: () => set(({ reads }) => ({ reads: !reads })),
    }),
    {
      name: "explorer.procurements",
      version: 1,
      partialize: ({ state, wrap, marks }) => ({ state, wrap, marks }),
      merge: (stored, initial) => {
        const kept: Partial<ProcurementsState> = typeof stored === "object" && stored !== null ? stored : {};
        return {
          ...initial,
          state: isFilter(kept.state) ? kept.state : initial.state,
          wrap: kept.wrap === true,
          marks: kept.marks !== false,
        };
      },
    },
  ),
);
