/** Every setting of a world with its choices, the default first. The names come from decisions D30 to D72. */
export const policyChoices = {
  jobs_insert_conflict: ["reject", "update"],
  jobs_insert_unknown_id: ["reject", "create"],
  part_ordered_on: ["placed", "confirmed"],
  confirm_when_confirmed: ["ok", "reject"],
  confirm_when_cancelled: ["reject", "not_found"],
  webhook_retries: ["standard", "fast", "none"],
  subscribe_credentials: ["own_keys", "required", "optional"],
  test_values: ["on", "off"],
} as const;

type Words = {
  readonly [N in keyof typeof policyChoices]: { readonly [C in (typeof policyChoices)[N][number]]: string };
};

/** Labels of the choices. */
export const policyLabels: Words = {
  jobs_insert_conflict: { reject: "refuse a job that exists", update: "update a job that exists" },
  jobs_insert_unknown_id: { reject: "refuse an unknown id", create: "create a job with it" },
  part_ordered_on: { placed: "ordered once placed", confirmed: "ordered once confirmed" },
  confirm_when_confirmed: { ok: "return 200", reject: "refuse with 422" },
  confirm_when_cancelled: { reject: "refuse with 422", not_found: "return not_found" },
  webhook_retries: { standard: "Standard (up to 3 h)", fast: "Fast (within seconds)", none: "No retries" },
  subscribe_credentials: {
    own_keys: "required in a world with its own keys",
    required: "always required",
    optional: "not required",
  },
  test_values: { on: "act as test values", off: "ordinary claim numbers" },
};

interface Question<Choice extends string> {
  readonly question: string;
  readonly decision: string;
  /** The contract's text on this question, and its gap. */
  readonly says: string;
  readonly silent: string;
  /** One example, and each choice's result: the response's status, if the example is a call. */
  readonly example: string;
  readonly leads: { readonly [C in Choice]: readonly [status: number | null, result: string] };
}

/** The question that each setting answers. */
export const policyQuestions: {
  readonly [N in keyof typeof policyChoices]: Question<(typeof policyChoices)[N][number]>;
} = {
  jobs_insert_conflict: {
    question: "Insert an existing job",
    decision: "D30",
    says: "The contract defines `if_` with `exists: update` and `exists: replace`.",
    silent: "It doesn’t say what happens without `if_`.",
    example: "The job already exists, and the call has no `if_`.",
    leads: { reject: [422, "unprocessable"], update: [200, "accepted"] },
  },
  jobs_insert_unknown_id: {
    question: "Insert with an unknown ID",
    decision: "D31",
    says: "The contract identifies a job by its ID or by an external ID.",
    silent: "It doesn’t say what an insert with an unknown ID does.",
    example: "No job has this `id`, and new IDs are assigned by the service.",
    leads: { reject: [422, "unprocessable"], create: [200, "accepted"] },
  },
  part_ordered_on: {
    question: "Status of a part in an open order",
    decision: "D42",
    says: "The contract has the part statuses estimated and ordered.",
    silent: "It doesn’t say when a part becomes ordered.",
    example: "An order was placed and is not yet confirmed.",
    leads: { placed: [null, "the part is ordered"], confirmed: [null, "the part is estimated"] },
  },
  confirm_when_confirmed: {
    question: "Confirm an already confirmed order",
    decision: "D50",
    says: "Confirming an order changes it to order_confirmed.",
    silent: "The contract doesn’t say what a second confirmation returns.",
    example: "The order is already confirmed.",
    leads: { ok: [200, "accepted"], reject: [422, "unprocessable"] },
  },
  confirm_when_cancelled: {
    question: "Confirm a cancelled order",
    decision: "D51",
    says: "The contract has the order status cancelled.",
    silent: "It doesn’t say what confirming a cancelled order returns.",
    example: "The order is cancelled and can’t be confirmed.",
    leads: { reject: [422, "unprocessable"], not_found: [404, "not_found"] },
  },
  webhook_retries: {
    question: "Retries of failed deliveries",
    decision: "D72",
    says: "A 200 acknowledges a notification, and notifications can repeat.",
    silent: "The contract doesn’t say when and how often they are retried.",
    example: "The first attempt to deliver an event failed.",
    leads: { standard: [null, "retry after 5 s"], fast: [null, "retry after 200 ms"], none: [null, "no retry"] },
  },
  subscribe_credentials: {
    question: "Credentials to subscribe a URL",
    decision: "D76",
    says: "The contract shows `/__webhooks/subscribe` without the two credential headers.",
    silent: "It doesn’t say who may subscribe in a world with its own keys, such as one with an invited partner.",
    example: "A program subscribes a URL without a key in a world with its own keys.",
    leads: { own_keys: [401, "unauthorized"], required: [401, "unauthorized"], optional: [200, "accepted"] },
  },
  test_values: {
    question: "Claim numbers that begin with test:",
    decision: "D93",
    says: "The contract has a claim number, any text.",
    silent: "That `test:confirm-after=30s` and the like bring about an outcome is an extension of this sandbox.",
    example: "A job has the claim number `test:offers=none`.",
    leads: { on: [null, "its basket is empty"], off: [null, "its basket is as ever"] },
  },
};

export type PolicyName = keyof typeof policyChoices;
export type Policies = { [N in PolicyName]: (typeof policyChoices)[N][number] };

export const policyNames = Object.keys(policyChoices) as PolicyName[];

/**
 * Returns whether only an integration's own credentials may subscribe an address for it (D76). @param ownKeys whether the world
 * has its own keys
 */
export const requiresCredentials = ({ subscribe_credentials: asks }: Policies, ownKeys: boolean): boolean =>
  asks === "required" || (asks === "own_keys" && ownKeys);

export const eachPolicy = <T>(of: (name: PolicyName) => T): Record<PolicyName, T> =>
  Object.fromEntries(policyNames.map((name) => [name, of(name)])) as Record<PolicyName, T>;
