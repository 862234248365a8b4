import type { PolicyName } from "../../../../sandbox/contract/control/policies.ts";

interface Effect {
  /** What is tried with the example, to be read behind its label. */
  readonly shows: string;
  /** What a world without an example lacks. */
  readonly needs: string;
  /** What the switch changes in other places. */
  readonly elsewhere: string;
}

/** How each switch is shown in a world, and how far it reaches. */
export const policyEffects: { readonly [N in PolicyName]: Effect } = {
  jobs_insert_conflict: {
    shows: "inserted again, without if_",
    needs: "Insert a job to see it here.",
    elsewhere: "An update makes an event, so subscribers of jobs are told.",
  },
  jobs_insert_unknown_id: {
    shows: "inserted with an id that nobody gave out",
    needs: "Insert a job to see it here.",
    elsewhere: "A job made so is in Jobs like any other, and subscribers are told.",
  },
  part_ordered_on: {
    shows: "waits for its supplier and counts as",
    needs: "Place an order, without confirming it, to see it here.",
    elsewhere: "It decides what a job’s parts say in Jobs. Parts that are there change with their next order.",
  },
  confirm_when_confirmed: {
    shows: "confirmed again",
    needs: "Confirm an order to see it here.",
    elsewhere: "Neither answer makes an event or changes the order.",
  },
  confirm_when_cancelled: {
    shows: "confirmed although it is cancelled",
    needs: "Cancel an order to see it here.",
    elsewhere: "Neither answer makes an event or changes the order.",
  },
  webhook_retries: {
    shows: "was not acknowledged; it is sent again",
    needs: "Let a receiver refuse a notification to see it here.",
    elsewhere: "In Webhooks it decides how long a delivery stays pending before it has failed.",
  },
};
