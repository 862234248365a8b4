import type { ReactNode } from "react";

/** Null and false are skipped, so that callers can list optional rows. */
type Rows = ReadonlyArray<readonly [string, ReactNode] | null | false>;

const Pairs = ({ as, rows }: { as: "kv" | "facts"; rows: Rows }) => (
  <dl className={as}>
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

/** Names and values in two columns. */
export const KeyValue = ({ rows }: { rows: Rows }) => <Pairs as="kv" rows={rows} />;

/** Names above values, side by side: for the head of a detail. */
export const Facts = ({ rows }: { rows: Rows }) => <Pairs as="facts" rows={rows} />;
