import type { ReactNode } from "react";

/** The head of a place: its title, a few quiet words, what can be done at the right. */
export const PlaceHead = ({ title, note, children }: { title: ReactNode; note?: ReactNode; children?: ReactNode }) => (
  <div className="place-head">
    <h1 className="t15 el">{title}</h1>
    {note && <span className="t12 t3 el">{note}</span>}
    <span className="grow" />
    {children}
  </div>
);

/** A titled part of a place, set off by a hairline; actions sit at the right of its head. */
export const Section = ({
  title,
  note,
  actions,
  children,
  ruled = true,
}: {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  ruled?: boolean;
}) => (
  <section className={ruled ? "hl" : undefined}>
    <div className="sec">
      <h2>{title}</h2>
      {note && <span className="t12 t3">{note}</span>}
      {actions && <span className="r">{actions}</span>}
    </div>
    {children}
  </section>
);

/** A line of controls above a list or a table. */
export const Toolbar = ({ children, label }: { children: ReactNode; label: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is a part of a form; these are controls of a view
  <div className="row toolbar" role="group" aria-label={label}>
    {children}
  </div>
);

/** A remark with an icon-sized indent, for what a person should know and need not do. */
export const Note = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
  <p className="note">
    {icon}
    <span>{children}</span>
  </p>
);
