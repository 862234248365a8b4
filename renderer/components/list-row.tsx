import type { ReactNode } from "react";

/** The inside of a two-line row: what it is and when, then what about it and how it stands. */
export const ListRow = ({
  title,
  aside,
  detail,
  state,
}: {
  title: ReactNode;
  aside?: ReactNode;
  detail?: ReactNode;
  state?: ReactNode;
}) => (
  <>
    <span className="li-line">
      <span className="li-title">{title}</span>
      <span className="t12 t3">{aside}</span>
    </span>
    <span className="li-line">
      <span className="t12 t2 el" title={typeof detail === "string" ? detail : undefined}>
        {detail}
      </span>
      <span className="row t12 t2 li-state">{state}</span>
    </span>
  </>
);
