import type { ReactNode } from "react";

/** One cell of the gallery, `span` of twelve columns wide; `flush` leaves the edges to what is inside. */
export const Cell = ({
  title,
  span,
  flush = false,
  children,
}: {
  title: string;
  span: number;
  flush?: boolean;
  children: ReactNode;
}) => (
  <section className={flush ? "flush" : undefined} style={{ gridColumn: `span ${span}` }} aria-label={title}>
    <h2>{title}</h2>
    <div className="stack">{children}</div>
  </section>
);

export const Line = ({ children }: { children: ReactNode }) => <div className="row wrap">{children}</div>;
