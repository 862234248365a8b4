import type { ReactNode } from "react";
import { Icon, type IconOf } from "../../components/icon.tsx";
import type { Tone } from "../../components/state.tsx";

/** A line under the top bar, for what stays true until somebody does something about it. */
export const Banner = ({
  tone,
  icon,
  label,
  children,
  actions,
}: {
  tone: Tone;
  icon: IconOf;
  /** What it is about, for screen readers. */
  label: string;
  children: ReactNode;
  actions?: ReactNode;
}) => (
  <section className={`banner ${tone}`} aria-label={label}>
    <Icon of={icon} size={14} />
    <p className="grow">{children}</p>
    {actions}
  </section>
);
