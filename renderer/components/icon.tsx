import type { Icon as TablerIcon } from "@tabler/icons-react";

export type IconOf = TablerIcon;

/** A decorative icon. Its meaning is always in words beside it or in the control's label. */
export const Icon = ({ of: Drawing, size = 16 }: { of: IconOf; size?: 12 | 14 | 16 }) => (
  <Drawing className={size === 16 ? "i" : `i i-${size}`} aria-hidden="true" />
);
