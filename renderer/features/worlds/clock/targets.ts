import type { Moment } from "../../../../sandbox/contract/control/world-operations.ts";
import { parseSpan } from "./spans.ts";

/** Where a clock can be moved to. */
export interface Target {
  readonly name: string;
  readonly label: string;
  /** On the world's clock, milliseconds since 1970; null: there is nothing to move it to. */
  readonly at: number | null;
  /** Why not, where there is nothing. */
  readonly why: string;
}

/** Long enough to make the call that must still be accepted, and past the moment itself. */
const BEFORE_MS = 30_000;
const AFTER_MS = 1_000;

/** Monday at nine, after the next weekend, where the window is. */
export const afterWeekend = (now: number): number => {
  const at = new Date(now);
  const days = at.getDay() === 0 ? 1 : 8 - at.getDay();
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 9).getTime();
};

/** The same day of the next month, or its last. */
export const inAMonth = (now: number): number => {
  const at = new Date(now);
  const last = new Date(at.getFullYear(), at.getMonth() + 2, 0).getDate();
  at.setMonth(at.getMonth() + 1, Math.min(at.getDate(), last));
  return at.getTime();
};

const around = (name: string, noun: string, next: Pick<Moment, "at"> | undefined, now: number): Target[] => {
  const expires = next === undefined ? null : Date.parse(next.at);
  const none = `no unused ${noun.split(" ").at(-1)}`;
  const before = expires === null || expires - BEFORE_MS <= now ? null : expires - BEFORE_MS;
  return [
    {
      name: `${name}-before`,
      label: `Just before the next ${noun} expires`,
      at: before,
      why: expires === null ? none : "it expires in less than 30 s",
    },
    {
      name: `${name}-after`,
      label: `Just after the next ${noun} expires`,
      at: expires === null ? null : expires + AFTER_MS,
      why: none,
    },
  ];
};

/** An order falls due in any world, codes and uploads in few: it is offered only where there is one. */
const due = (next: Pick<Moment, "at"> | undefined): Target[] =>
  next ? [{ name: "due", label: "Just after the next order is due", at: Date.parse(next.at) + AFTER_MS, why: "" }] : [];

/** What a clock can be moved to from now, on its own time. @param upcoming earliest first */
export const targetsFrom = (upcoming: readonly Pick<Moment, "what" | "at">[], now: number): readonly Target[] => [
  ...around(
    "code",
    "access code",
    upcoming.find(({ what }) => what === "code_expires"),
    now,
  ),
  ...around(
    "upload",
    "upload URL",
    upcoming.find(({ what }) => what === "upload_expires"),
    now,
  ),
  ...due(upcoming.find(({ what }) => what === "delivery_due")),
  { name: "weekend", label: "Over the weekend", at: afterWeekend(now), why: "" },
  { name: "month", label: "One month", at: inAMonth(now), why: "" },
];

/** By how much a person wants to move it, in seconds; what is wrong with what was typed; null and null: nothing was. */
export const ownAmount = (typed: string): { readonly seconds: number | null; readonly problem: string | null } => {
  if (typed.trim() === "") return { seconds: null, problem: null };
  const seconds = parseSpan(typed);
  const problem = "Enter a number with min, h, days or weeks. The maximum is 100 years.";
  return seconds === null ? { seconds: null, problem } : { seconds, problem: null };
};
