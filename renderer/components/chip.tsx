import type { ReactNode } from "react";
import { Icon, type IconOf } from "./icon.tsx";

/** A quiet fact in a box: a world's clock, a filter, a count. */
export const Chip = ({ icon, title, children }: { icon?: IconOf; title?: string; children: ReactNode }) => (
  <span className="chip" title={title}>
    {icon && <Icon of={icon} size={12} />}
    {children}
  </span>
);
