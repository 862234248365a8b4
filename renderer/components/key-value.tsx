import { Fragment, type ReactNode } from "react";

/** Null and false are left out, so that callers can list what may be there. */
type Rows = ReadonlyArray<readonly [string, ReactNode] | null | false>;

/** Names and values in two columns. */
export const KeyValue = ({ rows }: { rows: Rows }) => (
  <dl className="kv">
    {rows.map(
      (row) =>
        row && (
          <Fragment key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </Fragment>
        ),
    )}
  </dl>
);

/** Names above values in a line: the head of a detail. */
export const Facts = ({ rows }: { rows: Rows }) => (
  <dl className="facts">
    {rows.map(
      (row) =>
        row && (
          <div key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ),
    )}
  </dl>
);
