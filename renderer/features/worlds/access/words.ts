import type { AccessScope } from "../../../../sandbox/contract/access.ts";

export const scopeNames: Readonly<Record<AccessScope, string>> = { view: "View", act: "Act", manage: "Manage" };

export const scopeOptions = [
  { value: "view", label: "View: reads only" },
  { value: "act", label: "Act: also sends calls and reads the world’s keys" },
  { value: "manage", label: "Manage: also settings, clock, faults and snapshots" },
] as const;

export const lifetimes = [
  { value: "never", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
] as const;
export type Lifetime = (typeof lifetimes)[number]["value"];

/** Returns the expiry for a lifetime that starts now, in milliseconds since 1970. */
export const lifetimeEnd = (lifetime: Lifetime, now: number): string | null =>
  lifetime === "never" ? null : new Date(now + Number(lifetime) * 86_400_000).toISOString();
