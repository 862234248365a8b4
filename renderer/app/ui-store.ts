import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Side } from "../../sandbox/contract/control/rows.ts";
import type { WireOnly } from "./shell/wire/exchange-filter.ts";
import { WIRE_USUAL } from "./shell/wire/wire-height.ts";

/** Choices of the person at this window. Nothing the service knows is kept here. */
interface UiState {
  readonly wireOpen: boolean;
  readonly wireHeight: number;
  readonly wireOnly: WireOnly;
  readonly stepsHidden: boolean;
  /** The credential chosen to act as, by side; absent: chosen by rule (see acting.ts). */
  readonly actAs: Partial<Record<Side, string>>;
  /** The exchange the wire shows; null follows the newest. */
  readonly wireShows: string | null;
  readonly showInWire: (requestId: string | null) => void;
  readonly paletteOpen: boolean;
  readonly showPalette: (open: boolean) => void;
  readonly keysOpen: boolean;
  readonly showKeys: (open: boolean) => void;
  readonly toggleWire: () => void;
  readonly setWireHeight: (height: number) => void;
  readonly showWireOnly: (only: WireOnly) => void;
  readonly hideSteps: (hidden: boolean) => void;
  readonly chooseActAs: (side: Side, integrationId: string | null) => void;
}

export const useUi = create<UiState>()(
  persist(
    (set) => ({
      wireOpen: false,
      wireHeight: WIRE_USUAL,
      wireOnly: "all",
      stepsHidden: false,
      actAs: {},
      wireShows: null,
      paletteOpen: false,
      showPalette: (paletteOpen) => set({ paletteOpen }),
      keysOpen: false,
      showKeys: (keysOpen) => set({ keysOpen }),
      showInWire: (wireShows) => set(wireShows === null ? { wireShows } : { wireShows, wireOpen: true }),
      toggleWire: () => set((state) => ({ wireOpen: !state.wireOpen })),
      setWireHeight: (wireHeight) => set({ wireHeight }),
      showWireOnly: (wireOnly) => set({ wireOnly }),
      hideSteps: (stepsHidden) => set({ stepsHidden }),
      chooseActAs: (side, integrationId) =>
        set((state) => {
          const { [side]: _chosen, ...rest } = state.actAs;
          return { actAs: integrationId === null ? rest : { ...rest, [side]: integrationId } };
        }),
    }),
    {
      name: "explorer.ui",
      version: 1,
      partialize: ({ wireOpen, wireHeight, wireOnly, stepsHidden, actAs }) => ({
        wireOpen,
        wireHeight,
        wireOnly,
        stepsHidden,
        actAs,
      }),
    },
  ),
);
