import { create } from "zustand";
import type { Side } from "../../../sandbox/contract/control/rows.ts";

export type ShownSides = Side | "both";

/** What the person chose at this place; nothing the service knows. */
interface InstallState {
  readonly shown: ShownSides;
  /** Null: the first client that can be installed. */
  readonly clientId: string | null;
  /** The chosen organization of each side; absent: the first one. */
  readonly organizations: Partial<Record<Side, string>>;
  /** The flow whose next step Ctrl+Enter takes. */
  readonly active: Side;
  /** Integrations whose key was seen and put away: never shown in clear again by itself. */
  readonly putAway: readonly string[];
  /** What the consent page sent back instead of a code, until something else is done. */
  readonly returned: { readonly side: Side; readonly kind: "denied" | "foreign" } | null;
  readonly tellReturned: (returned: InstallState["returned"]) => void;
  readonly show: (shown: ShownSides) => void;
  readonly chooseClient: (clientId: string) => void;
  readonly chooseOrganization: (side: Side, organizationId: string) => void;
  readonly activate: (side: Side) => void;
  readonly putAwayKey: (integrationId: string) => void;
}

export const useInstall = create<InstallState>()((set) => ({
  shown: "repairer",
  clientId: null,
  organizations: {},
  active: "repairer",
  putAway: [],
  returned: null,
  tellReturned: (returned) => set({ returned }),
  show: (shown) => set((state) => ({ shown, active: shown === "both" ? state.active : shown })),
  chooseClient: (clientId) => set({ clientId }),
  chooseOrganization: (side, organizationId) =>
    set((state) => ({ organizations: { ...state.organizations, [side]: organizationId } })),
  activate: (active) => set({ active }),
  putAwayKey: (integrationId) =>
    set((state) => (state.putAway.includes(integrationId) ? {} : { putAway: [...state.putAway, integrationId] })),
}));
