import { create } from "zustand";
import type { Side } from "../../../sandbox/contract/control/rows.ts";

/** What the person chose at this place; nothing the service knows. */
interface InstallState {
  /** Whose install is shown. */
  readonly shown: Side;
  /** Null: the first client that can be installed. */
  readonly clientId: string | null;
  /** The chosen organization of each side; absent: the first one. */
  readonly organizations: Partial<Record<Side, string>>;
  /** What the consent page sent back instead of a code, until something else is done. */
  readonly returned: { readonly side: Side; readonly kind: "denied" | "foreign" } | null;
}

export const useInstall = create<InstallState>()(() => ({
  shown: "repairer",
  clientId: null,
  organizations: {},
  returned: null,
}));

export const chooseOrganization = (side: Side, id: string): void =>
  useInstall.setState(({ organizations }) => ({ organizations: { ...organizations, [side]: id } }));
