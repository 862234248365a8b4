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

export type PolicyName = keyof typeof policyChoices;
export type Policies = { [N in PolicyName]: (typeof policyChoices)[N][number] };

export const policyNames = Object.keys(policyChoices) as PolicyName[];
