import { type Check, checkNames, checks } from "../contract/causes/row.ts";
import { causeNames, causes, findCause } from "../contract/causes.ts";
import type { StrayCall } from "../contract/control/activity-operations.ts";
import type { Explanation } from "../contract/control/explain-operations.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import type { ActivityLog } from "../storage/activity-log.ts";

/** Kept call with this ID. */
export const findStray = async (activity: ActivityLog, id: string): Promise<StrayCall | undefined> => {
  // Each database prints JSON in its own way, so the ID alone selects what is parsed.
  for (const json of await activity.strays()) {
    const call = json.includes(id) ? (JSON.parse(json) as StrayCall) : undefined;
    if (call?.id === id) return call;
  }
  return undefined;
};

/** Checks that only some services or calls have. */
const OPTIONAL: readonly Check[] = ["limit", "fault_before", "fault_after"];

/** Explains a call to a world that doesn't exist, as far as it was kept. @param worlds names of all worlds */
export const explainStray = (
  { id, operation, status, error_code: code, world, reason, cause: name, remedy }: StrayCall,
  worlds: readonly string[],
): Explanation => {
  const cause = causeNames.find((one) => one === name) ?? null;
  const row = findCause(cause);
  const at = cause === null ? "rules" : causes[cause].check;
  const performed = checks.filter((one) => one === at || !OPTIONAL.includes(one));
  const last = performed.indexOf(at);
  const [near] = nearestNames(world, worlds);
  const isThere = worlds.includes(world);
  const missing = isThere ? `World ${world} didn’t exist then.` : `World ${world} doesn’t exist.`;
  const meant =
    near === undefined || isThere || remedy?.includes(near)
      ? ""
      : ` If you meant world ${near}, send \`x-sandbox-tenant: ${near}\`.`;
  return {
    ...{ id, operation, correction: null, suggestions: [], more_suggestions: 0, ignored: [], nearest: null },
    checks: performed.map((check, index) => ({
      check,
      name: checkNames[check],
      verdict: index < last ? "passed" : index === last ? "refused" : "not_reached",
    })),
    refusal: {
      ...{ code, status, whose_side: "partner", cause, pointers: [], section: row?.section ?? null, decisions: [] },
      sentence: `${missing} ${reason ?? row?.sentence ?? ""}`.trim(),
      what_to_do: `${remedy ?? row?.remedy ?? "Name a world that exists."}${meant}`,
    },
  };
};
