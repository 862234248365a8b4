import type { Moment } from "../../../../sandbox/contract/control/world-operations.ts";
import { parseSpan } from "./spans.ts";

/** A target of the clock. */
export interface Target {
  readonly name: string;
  readonly label: string;
  /** On the world's clock, in milliseconds since 1970; null: not available. */
  readonly at: number | null;
  /** The reason when not available. */
  readonly why: string;
}

/** Leaves time for a call that must still be accepted, in milliseconds. */
const BEFORE_MS = 30_000;
const AFTER_MS = 1_000;

/** Monday at nine after the next weekend, in the window's time zone. */
export const afterWeekend = (now: number): number => {
  const at = new Date(now);
  const days = at.getDay() === 0 ? 1 : 8 - at.getDay();
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 9).getTime();
};

/** The same day of the next month, or its last day. */
export const afterMonth = (now: number): number => {
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

/** Delivery dates exist in most worlds, so this target appears only when there is one. */
const due = (next: Pick<Moment, "at"> | undefined): Target[] =>
  next ? [{ name: "due", label: "Just after the next order is due", at: Date.parse(next.at) + AFTER_MS, why: "" }] : [];

/** Targets of a clock from now, in its own time. @param upcoming earliest first */
export const listTargets = (upcoming: readonly Pick<Moment, "what" | "at">[], now: number): readonly Target[] => [
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
  { name: "month", label: "One month", at: afterMonth(now), why: "" },
];

/** A typed span in seconds, or its problem; both null for empty text. */
export const parseTypedSpan = (typed: string): { readonly seconds: number | null; readonly problem: string | null } => {
  if (typed.trim() === "") return { seconds: null, problem: null };
  const seconds = parseSpan(typed);
  const problem = "Enter a number with min, h, days or weeks. The maximum is 100 years.";
  return seconds === null ? { seconds: null, problem } : { seconds, problem: null };
};
