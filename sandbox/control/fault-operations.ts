import { ANY_OPERATION, type Fault } from "../contract/control/fault-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { faultSentence } from "../contract/fault-words.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { type ArmedFault, faultState, remainingUses } from "../rules/worlds/faults.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import { MAX_FAULTS } from "../worlds/faults.ts";
import { type BoundControl, control, findIntegration, refuseUnknown } from "./handler.ts";

const faultRow = (fault: ArmedFault): Fault => ({
  ...fault,
  state: faultState(fault, realTime()),
  left: remainingUses(fault),
  armed_at: iso(fault.armed_at),
  expires_at: isoOrNull(fault.expires_at),
  last_fired_at: isoOrNull(fault.last_fired_at),
  sentence: faultSentence(fault),
});

export const faultControls: readonly BoundControl[] = [
  control("faults.list", ({ world }) => ({ items: world.faults.list().map(faultRow) })),
  control("faults.set", async ({ world }, rule) => {
    const { name = null, operation = ANY_OPERATION, calls = null, effect, uses = null, for_seconds } = rule;
    if (calls && effect.rate_limit)
      return refuse("bad_request", "/calls can’t be combined with a rate limit, which counts every call");
    const credential = rule.integration_id === undefined ? null : findIntegration(world, rule.integration_id);
    if (credential instanceof Refusal) return credential;
    const integration_id = credential?.integration_id ?? null;
    const armed_at = realTime();
    const expires_at = for_seconds === undefined ? null : armed_at + for_seconds * 1_000;
    const fault: ArmedFault = {
      ...{ id: newId(), name, operation, integration_id, calls, effect, uses, armed_at, expires_at },
      ...{ matched: 0, fired: 0, last_fired_at: null },
    };
    return (await world.faults.set(fault))
      ? faultRow(fault)
      : refuse("bad_request", `${MAX_FAULTS} faults are already armed in this world, the limit. Clear some first`);
  }),
  control("faults.clear", async ({ world }, { id }) => {
    const cleared = await world.faults.clear(id?.toLowerCase() ?? null);
    if (id !== undefined && cleared === 0) return refuseUnknown("id", id, "fault", "faults.list");
    return { cleared };
  }),
];
