import { useTimeout } from "@mantine/hooks";
import { useRef, useState } from "react";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { type EntryOf, useLive } from "../../../app/live/use-live.ts";
import { statusIn } from "../../../domain/procurement/words.ts";
import { announceArrival } from "../../../lib/announce.ts";

/** A procurement that has just come into a column. */
export interface Arrival {
  readonly id: string;
  readonly label: string;
  readonly status: ProcurementStatus;
}
export type Arrivals = Readonly<Partial<Record<ProcurementStatus, Arrival>>>;

/** How long a column says who came in last: long enough to find the card, not longer. */
const SHOWN_MS = 6000;
/** A board is drawn anew for what came in as often as its lists are read, not with every frame. */
const EVERY_MS = 250;

const arrivalIn = ({ data: { entity, id, label, after } }: EntryOf<"state">): Arrival[] => {
  const status = entity === "procurement" ? statusIn(after) : null;
  return status ? [{ id, label, status }] : [];
};

/** The last procurement that came into each column, for a moment; said aloud too, unless what covers the board says it. */
export const useArrivals = (quiet: boolean): Arrivals => {
  const [arrivals, setArrivals] = useState<Arrivals>({});
  const came = useRef<Arrivals>({});
  const show = useTimeout(() => setArrivals(came.current), EVERY_MS);
  const forget = useTimeout(() => {
    came.current = {};
    setArrivals({});
  }, SHOWN_MS);
  useLive("state", (entries) => {
    const arrived = entries.flatMap(arrivalIn);
    const last = arrived.at(-1);
    if (last === undefined) return;
    came.current = { ...came.current, ...Object.fromEntries(arrived.map((one) => [one.status, one])) };
    show.start();
    forget.clear();
    forget.start();
    if (!quiet) announceArrival(`${last.label} is now ${last.status}`);
  });
  return arrivals;
};
