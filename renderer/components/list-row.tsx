import type { ReactNode } from "react";

/** Content of a two-line row. Line 1: name and time. Line 2: details and status. */
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
      <span className="li-aside">{aside}</span>
    </span>
    <span className="li-line">
      <span className="li-detail" title={typeof detail === "string" ? detail : undefined}>
        {detail}
      </span>
      <span className="li-state">{state}</span>
    </span>
  </>
);
