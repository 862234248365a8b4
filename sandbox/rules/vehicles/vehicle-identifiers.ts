import { isObject } from "../../contract/explain.ts";
import { isText } from "../../contract/schema.ts";

/** Contract, "tier1.prepare": regions with a plate lookup. */
export const supportedRegions = ["GB", "AU", "NZ"] as const;

/** D61: the states and territories of Australia. */
export const australianStates = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"] as const;

/** A valid identifier with folded case, as queued, so that repeats are recognized (D63). */
export type VehicleIdentifier =
  | { readonly kind: "chassis"; readonly chassis_number: string }
  | { readonly kind: "plate"; readonly region: string; readonly state: string | null; readonly plate: string };

type EvaluatedIdentifier = { readonly identifier: VehicleIdentifier } | { readonly reason: string };

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/i;
const FRAME_NUMBER = /^[A-Z0-9]+-[0-9]+$/i;

/** Counts characters without an array, because the text may have a mebibyte. */
const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** D60: 17 characters without I, O and Q, or a Japanese frame number of 6 to 17 characters. Case is ignored. */
const evaluateChassis = (value: unknown): EvaluatedIdentifier => {
  if (typeof value !== "string") return { reason: "chassis_number must be string" };
  if (VIN.test(value) || (FRAME_NUMBER.test(value) && value.length >= 6 && value.length <= 17)) {
    return { identifier: { kind: "chassis", chassis_number: value.toUpperCase() } };
  }
  if (value.includes("-")) {
    return { reason: "chassis_number is not a frame number: letters or digits, a hyphen and digits, 6 to 17 in all" };
  }
  if (value.length === 17 && /^[A-Z0-9]+$/i.test(value)) {
    return { reason: "chassis_number has the letter I, O or Q, which a chassis number never has" };
  }
  return { reason: `chassis_number must be 17 characters of A–Z and 0–9, it has ${countCharacters(value)}` };
};

const evaluateState = (
  region: string,
  state: unknown,
): { readonly state: string | null } | { readonly reason: string } => {
  const isGiven = state !== undefined && state !== null;
  if (isGiven && typeof state !== "string") return { reason: "state must be string" };
  if (isGiven && !isText(state)) return { reason: "state must be text without lone surrogates and U+0000" };
  if (region !== "AU") return { state: null };
  if (!isGiven) return { reason: `state is required for AU: one of ${australianStates.join(", ")}` };
  return (australianStates as readonly string[]).includes(state)
    ? { state }
    : { reason: `state must be one of ${australianStates.join(", ")} for AU` };
};

/** Contract, "Registration-mark fields", with D61. */
const evaluatePlate = ({ region, state, plate }: Record<string, unknown>): EvaluatedIdentifier => {
  if (typeof plate !== "string") return { reason: plate === undefined ? "plate is required" : "plate must be string" };
  const length = countCharacters(plate);
  if (length < 1 || length > 10) return { reason: `plate must have 1 to 10 characters, it has ${length}` };
  if (!isText(plate)) return { reason: "plate must be text without lone surrogates and U+0000" };
  if (region === undefined) return { reason: "region is required" };
  if (typeof region !== "string" || !(supportedRegions as readonly string[]).includes(region)) {
    return { reason: `region must be one of ${supportedRegions.join(", ")}` };
  }
  const verdict = evaluateState(region, state);
  if ("reason" in verdict) return verdict;
  return { identifier: { kind: "plate", region, state: verdict.state, plate } };
};

/** Validates one identifier of any JSON type (contract, "Vehicle identifier"; D7, D60, D61). */
export const evaluateVehicleIdentifier = (input: unknown): EvaluatedIdentifier => {
  if (!isObject(input)) return { reason: "must be an object with chassis_number, or with region, state and plate" };
  const chassis = Object.hasOwn(input, "chassis_number");
  const plate = ["region", "state", "plate"].some((key) => Object.hasOwn(input, key));
  if (chassis && plate) return { reason: "must have chassis_number or region, state and plate, not both" };
  if (chassis) return evaluateChassis(input.chassis_number);
  return plate ? evaluatePlate(input) : { reason: "must have chassis_number, or region, state and plate" };
};

/** Key that equal identifiers share (D63). */
export const identifierKey = (identifier: VehicleIdentifier): string =>
  identifier.kind === "chassis"
    ? `chassis:${identifier.chassis_number}`
    : `plate:${identifier.region}:${identifier.state ?? ""}:${identifier.plate.toUpperCase()}`;
