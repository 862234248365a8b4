import { Fragment, type ReactNode } from "react";

/** Names and values in two columns; null and false are left out, so that callers can list what may be there. */
export const KeyValue = ({ rows }: { rows: ReadonlyArray<readonly [string, ReactNode] | null | false> }) => (
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
export const Facts = ({ rows }: { rows: ReadonlyArray<readonly [string, ReactNode] | null> }) => (
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
