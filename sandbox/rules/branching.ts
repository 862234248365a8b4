import { changedSomething } from "../contract/control/exchange-kinds.ts";
import type { RequestRow } from "../contract/control/rows.ts";

/** A moment at which a world can be had: of a snapshot, or with no name the seed. `at` is real time, milliseconds since 1970. */
interface Moment {
  readonly name: string | null;
  readonly at: number;
}

/** When an act that is repeated was made the first time: in real time and on its world's clock, milliseconds since 1970. */
export interface RepeatedAt {
  readonly at: number;
  readonly clock: number;
}

/** Where the world before a call can begin, nearest first. What is later can begin the world before later calls, earliest first. */
export const beginningsOf = <M extends Moment>(moments: readonly M[], call: number) => {
  const ascending = moments.toSorted((one, other) => one.at - other.at);
  // The call that made a world began before the world did.
  const isBefore = ({ name, at }: M): boolean => name === null || at <= call;
  return { before: ascending.filter(isBefore).toReversed(), later: ascending.filter((one) => !isBefore(one)) };
};

/**
 * The calls that lead from a beginning to a call, without that one.
 *
 * @param rows since the beginning, in their order
 * @param counted whether a fault counts calls: then those that changed nothing matter too
 */
export const callsBefore = <R extends Pick<RequestRow, "id" | "operation" | "status">>(
  rows: readonly R[],
  id: string,
  counted: boolean,
): readonly R[] => {
  const earlier = rows.slice(
    0,
    rows.findIndex((row) => row.id === id),
  );
  return counted ? earlier : earlier.filter(changedSomething);
};
