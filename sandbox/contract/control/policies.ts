/** Every switch of a world with its choices; the first is the default. The names are the decisions' (D30 to D72). */
export const policyChoices = {
  jobs_insert_conflict: ["reject", "update"],
  jobs_insert_unknown_id: ["reject", "create"],
  part_ordered_on: ["placed", "confirmed"],
  confirm_when_confirmed: ["ok", "reject"],
  confirm_when_cancelled: ["reject", "not_found"],
  webhook_retries: ["standard", "fast", "none"],
} as const;

export type PolicyName = keyof typeof policyChoices;
export type Policies = { [N in PolicyName]: (typeof policyChoices)[N][number] };

export const policyNames = Object.keys(policyChoices) as PolicyName[];
