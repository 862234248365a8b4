import type { Example } from "../cause-examples.ts";
import type { ErrorCode } from "../errors.ts";
import type { DecisionId } from "../openapi/decisions.ts";
import type { Section } from "./sections.ts";

/**
 * The checks of a partner's call in their order (D2), with their labels. `fault` appears twice: a fault replaces
 * whatever check would come next.
 */
export const checkNames = {
  protocol: "HTTP",
  limit: "Rate limit",
  address: "Address",
  host: "Host",
  tenant: "Tenant",
  size: "Size",
  world: "World",
  fault_before: "Fault",
  credentials: "Credentials",
  scope: "Scope",
  json: "JSON",
  shape: "Shape",
  rules: "Rules",
  fault_after: "Fault",
} as const;

export type Check = keyof typeof checkNames;
export const checks = Object.keys(checkNames) as Check[];

/** Lists to search for the known value nearest to a wrong one. */
export type KnownList = "jobs" | "procurements" | "insurers" | "sites" | "offers";

export interface Row {
  /** The error code; null: the operation's own code for a wrong body (D3). */
  readonly code: string | null;
  readonly check: Check;
  /** `{Job}` and `{Order}` are replaced by the label of the affected job or order. */
  readonly sentence: string;
  readonly remedy: string;
  /** Decisions where the contract is silent, most specific first. */
  readonly decisions: readonly DecisionId[];
  /** The contract's section; null: the contract doesn't cover this. */
  readonly section: Section | null;
  /** Corrects the body: by a known value, or by replacing the value at a pointer (undefined: remove it). */
  readonly fix?: KnownList | ((pointer: string, value: unknown) => readonly [pointer: string, after: unknown]);
  readonly example?: Example;
  /** Describes how this refusal arises when no short sequence of calls causes it. */
  readonly arises?: string;
}

export type CauseTexts = Pick<Row, "sentence" | "remedy" | "fix" | "example" | "arises">;

/** A cause without its name. */
export const at = <const Code extends string | null>(
  check: Check,
  code: Code,
  section: Section | null,
  decisions: readonly DecisionId[],
  texts: CauseTexts,
) => ({ check, code, section, decisions, ...texts });
/** A cause that a rule of an operation returns. */
export const rule = <const Code extends ErrorCode>(
  code: Code,
  section: Section | null,
  decisions: readonly DecisionId[],
  texts: CauseTexts,
) => at("rules", code, section, decisions, texts);
