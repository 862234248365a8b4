/** Headings of the contract that explanations name, without their parentheses. */
export const sections = [
  "Conventions that hold for every operation",
  "States and transitions",
  "Endpoints",
  "Authentication: Headers",
  "Authentication: Install",
  "Authentication: Organization and scope",
  "Events: Subscription",
  "Events: Reference sink",
  "Errors",
] as const;

/** A heading of the contract, or an operation among its endpoints. */
export type Section = (typeof sections)[number] | `Endpoints: ${string}`;
