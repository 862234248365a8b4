import type { ReactNode } from "react";
import type { IconOf } from "../../../components/icon.tsx";

/** One thing the palette can go to or do. */
export interface PaletteEntry {
  readonly id: string;
  readonly icon: IconOf;
  readonly label: string;
  readonly aside?: ReactNode;
  readonly run: () => void;
}
/** One that is found by words of its own, not asked of the service. */
export interface KnownEntry extends PaletteEntry {
  /** What it is found by, beside its label. */
  readonly words: string;
}
export interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}
