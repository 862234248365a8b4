import type { ReactNode } from "react";
import { Icon, type IconOf } from "./icon.tsx";

/** A quiet fact in a box: a world's clock, a filter, a count. */
export const Chip = ({ icon, children }: { icon?: IconOf; children: ReactNode }) => (
  <span className="chip">
    {icon && <Icon of={icon} size={12} />}
    {children}
  </span>
);
