import type { ProcurementStatus } from "../../contract/values.ts";
import type { SupplierKey } from "./parties.ts";

/** One procurement as a row of the story. */
export interface ProcurementStory {
  /** The job's number. */
  readonly job: string;
  readonly supplier: SupplierKey;
  readonly status: ProcurementStatus;
  /** Hours after the job arrived. */
  readonly after: number;
  /** How many of the supplier's offers for parts not yet ordered are taken. */
  readonly take: number;
  /** Hours after it was placed until it was confirmed or cancelled. */
  readonly answeredAfter?: number;
  /** In minor units: for the whole, or for each piece. */
  readonly shipping?: readonly ["absolute" | "derived", number];
  /** Hours after it was placed by which the parts are wanted. */
  readonly dueAfter?: number;
  /** Indexes of the items whose condition is left open. */
  readonly openCondition?: readonly number[];
  /** Indexes of the items whose stock and price are left open. */
  readonly openStock?: readonly number[];
}

/** For each job in the order they were placed. */
// biome-ignore format: a table, one procurement a line
export const procurementStories: readonly ProcurementStory[] = [
  { job: "J-20331", supplier: "meridian", status: "order_confirmed", after: 5, take: 4, answeredAfter: 3, shipping: ["absolute", 4500], dueAfter: 77 },
  { job: "J-20334", supplier: "halfmoon", status: "order_confirmed", after: 22, take: 2, answeredAfter: 6.5, shipping: ["absolute", 3800], dueAfter: 101 },
  { job: "J-20338", supplier: "corran", status: "order_confirmed", after: 3, take: 2, answeredAfter: 20, dueAfter: 96 },
  { job: "J-20345", supplier: "meridian", status: "order_confirmed", after: 7.5, take: 5, answeredAfter: 1.2, shipping: ["derived", 1250], dueAfter: 74 },
  { job: "J-20352", supplier: "halfmoon", status: "cancelled", after: 4, take: 2, answeredAfter: 19, openCondition: [1] },
  { job: "J-20352", supplier: "meridian", status: "order_confirmed", after: 24, take: 6, answeredAfter: 2.1, shipping: ["absolute", 12000], dueAfter: 98 },
  { job: "J-20352", supplier: "kestle", status: "order_confirmed", after: 24, take: 2, answeredAfter: 1.4, shipping: ["derived", 300], dueAfter: 50 },
  { job: "J-20356", supplier: "meridian", status: "order_confirmed", after: 1.1, take: 3, answeredAfter: 0.8, dueAfter: 49 },
  { job: "J-20362", supplier: "meridian", status: "cancelled", after: 2, take: 3, answeredAfter: 5.2, shipping: ["absolute", 6500], dueAfter: 74 },
  { job: "J-20362", supplier: "corran", status: "order_confirmed", after: 8, take: 4, answeredAfter: 17, shipping: ["absolute", 5900], dueAfter: 120 },
  { job: "J-20362", supplier: "meridian", status: "order_confirmed", after: 8, take: 8, answeredAfter: 4.4, shipping: ["derived", 1100], dueAfter: 99 },
  { job: "J-20374", supplier: "kestle", status: "cancelled", after: 6, take: 1, answeredAfter: 30 },
  { job: "J-20374", supplier: "meridian", status: "order_confirmed", after: 6, take: 5, answeredAfter: 2.6, shipping: ["absolute", 8800], dueAfter: 76 },
  { job: "J-20380", supplier: "ferrow", status: "order_confirmed", after: 12, take: 3, answeredAfter: 9, shipping: ["absolute", 3200], dueAfter: 84 },
  { job: "J-20387", supplier: "meridian", status: "order_confirmed", after: 3.3, take: 7, answeredAfter: 22, shipping: ["absolute", 14000], dueAfter: 95 },
  { job: "J-20391", supplier: "corran", status: "cancelled", after: 18, take: 2, answeredAfter: 2, dueAfter: 90 },
  { job: "J-20391", supplier: "halfmoon", status: "order_requested", after: 97, take: 2, shipping: ["absolute", 4000], dueAfter: 72 },
  { job: "J-20391", supplier: "meridian", status: "order_requested", after: 97, take: 3, openCondition: [0] },
  { job: "J-20397", supplier: "meridian", status: "order_requested", after: 60.9, take: 3, shipping: ["absolute", 6500], openCondition: [1, 2] },
  { job: "J-20402", supplier: "meridian", status: "order_requested", after: 5, take: 2, shipping: ["derived", 1500], dueAfter: 73 },
  { job: "J-20402", supplier: "corran", status: "order_requested", after: 5, take: 1, dueAfter: 97 },
  { job: "J-20408", supplier: "meridian", status: "order_requested", after: 2.2, take: 4, openCondition: [0, 1, 2], openStock: [1, 3] },
  { job: "J-20411", supplier: "southlight", status: "order_requested", after: 4.1, take: 3, shipping: ["absolute", 7500] },
  { job: "J-20413", supplier: "meridian", status: "order_requested", after: 2.9, take: 4, shipping: ["absolute", 2800], dueAfter: 51, openCondition: [2] },
  { job: "B-1186", supplier: "meridian", status: "order_requested", after: 28, take: 3, dueAfter: 80, openCondition: [0] },
];
