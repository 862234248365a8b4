import { tier1Prepare } from "../contract/operations/partner.ts";
import { rawItems } from "../rules/json/raw-json.ts";
import { evaluateVehicleIdentifier } from "../rules/vehicles/vehicle-identifiers.ts";
import { handler } from "./handler.ts";

interface Invalid {
  readonly input: { readonly raw: string };
  readonly reason: string;
}

/** Returns the raw inputs with their original text. */
const serialize = ({
  invalid_identifiers,
}: {
  readonly invalid_identifiers: readonly { readonly input: unknown; readonly reason: string }[];
}): string => {
  const items = (invalid_identifiers as readonly Invalid[]).map(
    ({ input, reason }) => `{"input":${input.raw},"reason":${JSON.stringify(reason)}}`,
  );
  return `{"invalid_identifiers":[${items.join(",")}]}`;
};

/**
 * Contract, "tier1.prepare": queues valid identifiers once per organization, and returns the others unchanged (D60 to
 * D63).
 */
export const prepareTier1 = handler(
  tier1Prepare,
  (context, { identifiers }) => {
    const raw = rawItems(context.bodyText(), "identifiers");
    const invalid_identifiers: Invalid[] = [];
    let queued = 0;
    for (const [index, input] of identifiers.entries()) {
      const verdict = evaluateVehicleIdentifier(input);
      if ("reason" in verdict)
        invalid_identifiers.push({ input: { raw: raw[index] ?? "null" }, reason: verdict.reason });
      else if (context.stores.vehicles.queue(context.caller.organization_id, verdict.identifier, context.now))
        queued += 1;
    }
    context.about({ outcome: `${queued} queued, ${invalid_identifiers.length} invalid` });
    return { invalid_identifiers };
  },
  serialize,
);
