import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** An active filter; a click removes it. */
export const BackChip = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <button type="button" className="chip" aria-label={label} onClick={onClick}>
    {children}
    <Icon of={IconX} size={12} />
  </button>
);
