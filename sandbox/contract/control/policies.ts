/** Every switch of a world with its choices; the first is the default. The names are the decisions' (D30 to D72). */
export const policyChoices = {
  jobs_insert_conflict: ["reject", "update"],
  jobs_insert_unknown_id: ["reject", "create"],
  part_ordered_on: ["placed", "confirmed"],
  confirm_when_confirmed: ["ok", "reject"],
  confirm_when_cancelled: ["reject", "not_found"],
  webhook_retries: ["standard", "fast", "none"],
} as const;

type Words = {
  readonly [N in keyof typeof policyChoices]: { readonly [C in (typeof policyChoices)[N][number]]: string };
};

/** Every choice in words, for whoever sets the switch. */
export const policyWords: Words = {
  jobs_insert_conflict: { reject: "refuse a job that exists", update: "update a job that exists" },
  jobs_insert_unknown_id: { reject: "refuse an unknown id", create: "create a job with it" },
  part_ordered_on: { placed: "ordered once placed", confirmed: "ordered once confirmed" },
  confirm_when_confirmed: { ok: "answer 200", reject: "refuse with 422" },
  confirm_when_cancelled: { reject: "refuse with 422", not_found: "answer not_found" },
  webhook_retries: { standard: "send again for hours", fast: "send again within seconds", none: "never send again" },
};

interface Question<Choice extends string> {
  readonly question: string;
  readonly decision: string;
  /** What the contract says of it, and what not. */
  readonly says: string;
  readonly silent: string;
  /** One example of it, and what each choice then leads to: the status a call is answered with, if it is about one. */
  readonly example: string;
  readonly leads: { readonly [C in Choice]: readonly [status: number | null, result: string] };
}

/** What each switch decides. */
export const policyQuestions: {
  readonly [N in keyof typeof policyChoices]: Question<(typeof policyChoices)[N][number]>;
} = {
  jobs_insert_conflict: {
    question: "What happens when a job exists already?",
    decision: "D30",
    says: "The contract says what if_ does: exists update, or exists replace.",
    silent: "It does not say what is answered when if_ is left out.",
    example: "The job already exists, and the call has no `if_`.",
    leads: { reject: [422, "unprocessable"], update: [200, "accepted"] },
  },
  jobs_insert_unknown_id: {
    question: "What if a job comes with an id nobody gave out?",
    decision: "D31",
    says: "The contract says that a job is named by its id or by an external id.",
    silent: "It does not say what an insert with an unknown id makes.",
    example: "No job has this `id`, and new IDs are assigned by the service.",
    leads: { reject: [422, "unprocessable"], create: [200, "accepted"] },
  },
  part_ordered_on: {
    question: "When does a part count as ordered?",
    decision: "D42",
    says: "The contract says that a part is estimated or ordered.",
    silent: "It does not say when it becomes the one or the other.",
    example: "An order is placed and not yet confirmed.",
    leads: { placed: [null, "the part is ordered"], confirmed: [null, "the part is estimated"] },
  },
  confirm_when_confirmed: {
    question: "What if a confirmed order is confirmed again?",
    decision: "D50",
    says: "The contract says that confirming moves an order to order_confirmed.",
    silent: "It does not say what is answered when it is there already.",
    example: "The order is already confirmed.",
    leads: { ok: [200, "accepted"], reject: [422, "unprocessable"] },
  },
  confirm_when_cancelled: {
    question: "What if a cancelled order is confirmed?",
    decision: "D51",
    says: "The contract has cancelled as a state of an order.",
    silent: "It does not say what confirming it is answered with then.",
    example: "The order is cancelled and can't be confirmed.",
    leads: { reject: [422, "unprocessable"], not_found: [404, "not_found"] },
  },
  webhook_retries: {
    question: "How soon is a missed notification sent again?",
    decision: "D72",
    says: "The contract says that 200 acknowledges a notification, and that one may come again.",
    silent: "It does not say when it is sent again, and how often.",
    example: "The first attempt to deliver an event failed.",
    leads: { standard: [null, "retry after 5 s"], fast: [null, "retry after 200 ms"], none: [null, "no retry"] },
  },
};

export type PolicyName = keyof typeof policyChoices;
export type Policies = { [N in PolicyName]: (typeof policyChoices)[N][number] };

export const policyNames = Object.keys(policyChoices) as PolicyName[];

/** Something for each switch. */
export const eachPolicy = <T>(of: (name: PolicyName) => T): Record<PolicyName, T> =>
  Object.fromEntries(policyNames.map((name) => [name, of(name)])) as Record<PolicyName, T>;
