import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon, type IconOf } from "./icon.tsx";

/** A quiet fact in a box: a world's clock, a filter, a count. */
export const Chip = ({ icon, children }: { icon?: IconOf; children: ReactNode }) => (
  <span className="chip">
    {icon && <Icon of={icon} size={12} />}
    {children}
  </span>
);

/** What a list is narrowed to; a click takes it back. */
export const BackChip = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <button type="button" className="chip" aria-label={label} onClick={onClick}>
    {children}
    <Icon of={IconX} size={12} />
  </button>
);
