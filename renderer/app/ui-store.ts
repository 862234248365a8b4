import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Side } from "../../sandbox/contract/control/rows.ts";
import { putInAddress, shownInWire } from "./wire-shows.ts";

/** Which of the last exchanges the wire lists. */
export type WireOnly = "all" | "refused";
/** How high the wire is until somebody drags it, in pixels. */
export const WIRE_USUAL = 280;

/** How close the rows of lists stand; the tokens of `data-density` say the same. */
export type Density = "comfortable" | "compact";

/** Choices of the person at this window. Nothing the service knows is kept here. */
interface UiState {
  readonly wireOpen: boolean;
  readonly wireHeight: number;
  readonly wireOnly: WireOnly;
  /** What the listed exchanges are narrowed to. */
  readonly wireTyped: string;
  /** It was opened to show an exchange, and closes when that is gone back from. */
  readonly wireOpenedFor: boolean;
  /** The exchange that was chosen when it was closed, to be shown again. */
  readonly wireLast: string | null;
  readonly stepsHidden: boolean;
  readonly density: Density;
  /** The credential chosen to act as, by side; absent: chosen by rule (see acting.ts). */
  readonly actAs: Partial<Record<Side, string>>;
  /** Opens the wire at an exchange, which then stands in the address (wire-shows.ts); null follows the newest. */
  readonly showInWire: (requestId: string | null) => void;
  /** Opens and closes the wire after an address that was gone to. */
  readonly followAddress: (requestId: string | null) => void;
  /** Opens the wire with its newest exchanges, narrowed to some. */
  readonly listInWire: (only: WireOnly, typed: string) => void;
  readonly paletteOpen: boolean;
  readonly showPalette: (open: boolean) => void;
  readonly keysOpen: boolean;
  readonly showKeys: (open: boolean) => void;
  readonly toggleWire: () => void;
  readonly setWireHeight: (height: number) => void;
  readonly showWireOnly: (only: WireOnly) => void;
  readonly typeInWire: (typed: string) => void;
  /** Another world is looked at: no exchange of this one is shown there. */
  readonly leaveWorld: () => void;
  readonly hideSteps: (hidden: boolean) => void;
  readonly chooseDensity: (density: Density) => void;
  readonly chooseActAs: (side: Side, integrationId: string | null) => void;
}

export const useUi = create<UiState>()(
  persist(
    (set, get) => ({
      wireOpen: false,
      wireHeight: WIRE_USUAL,
      wireOnly: "all",
      wireTyped: "",
      wireOpenedFor: false,
      wireLast: null,
      stepsHidden: false,
      density: "comfortable",
      actAs: {},
      paletteOpen: false,
      showPalette: (paletteOpen) => set({ paletteOpen }),
      keysOpen: false,
      showKeys: (keysOpen) => set({ keysOpen }),
      showInWire: (requestId) => {
        if (requestId === null) set({ wireOpenedFor: false });
        else get().followAddress(requestId);
        putInAddress(requestId);
      },
      followAddress: (requestId) => {
        const { wireOpen, wireOpenedFor } = get();
        if (requestId !== null && !wireOpen) set({ wireOpen: true, wireOpenedFor: true });
        if (requestId === null && wireOpenedFor) set({ wireOpen: false, wireOpenedFor: false });
      },
      listInWire: (wireOnly, wireTyped) => {
        set({ wireOnly, wireTyped, wireOpen: true, wireOpenedFor: false });
        putInAddress(null);
      },
      toggleWire: () => {
        const { wireOpen, wireLast } = get();
        const shown = shownInWire();
        set({ wireOpen: !wireOpen, wireOpenedFor: false, wireLast: wireOpen ? shown : wireLast });
        putInAddress(wireOpen ? null : (shown ?? wireLast));
      },
      leaveWorld: () => set({ wireLast: null, wireTyped: "" }),
      typeInWire: (wireTyped) => set({ wireTyped }),
      setWireHeight: (wireHeight) => set({ wireHeight }),
      showWireOnly: (wireOnly) => set({ wireOnly }),
      chooseDensity: (density) => set({ density }),
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
      partialize: ({ wireOpen, wireOpenedFor, wireHeight, wireOnly, stepsHidden, density, actAs }) => ({
        wireOpen: wireOpen && !wireOpenedFor,
        wireHeight,
        wireOnly,
        stepsHidden,
        density,
        actAs,
      }),
    },
  ),
);

/** In pixels: rows of two lines, of a table over a whole place, and of one line. */
const heights = {
  comfortable: { two: 48, table: 32, one: 28 },
  compact: { two: 40, table: 26, one: 24 },
} as const;

/** How high a row is: lists that draw only what is in sight have to know. */
export const useRowHeight = (kind: "two" | "table" | "one"): number => heights[useUi((state) => state.density)][kind];
