import { type Check, checkNames, checks } from "../contract/causes/row.ts";
import { causeNames, causes, findCause } from "../contract/causes.ts";
import type { StrayCall } from "../contract/control/activity-operations.ts";
import type { Explanation } from "../contract/control/explain-operations.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { describeUndo } from "../operations/refused-call.ts";
import { formatDuration } from "../rules/timestamp.ts";
import type { ActivityLog } from "../storage/activity-log.ts";
import { noteIgnoredHead } from "./ignored-parts.ts";
import { describeMethodRemedy } from "./parameters-body.ts";

/** Kept call with this ID. */
export const findStray = async (activity: ActivityLog, id: string): Promise<StrayCall | undefined> => {
  // Each database prints JSON in its own way, so the ID alone selects what is parsed.
  for (const json of await activity.strays()) {
    const call = json.includes(id) ? (JSON.parse(json) as StrayCall) : undefined;
    if (call?.id === id) return call;
  }
  return undefined;
};

const isOperation = ({ path }: StrayCall): boolean =>
  partnerOperations.some((one) => path.split("?", 1)[0] === operationPath(one));

/** Checks that only some services or calls have. */
const OPTIONAL: readonly Check[] = ["limit", "fault_before", "fault_after"];

/**
 * Explains a call to a world that doesn't exist, as far as it was kept.
 *
 * @param worlds names of all worlds
 * @param deletedAt time of the world's last deletion before the call; null if none is known
 */
export const explainStray = (call: StrayCall, worlds: readonly string[], deletedAt: number | null): Explanation => {
  const { id, operation, status, error_code: code, world, reason, cause: name, remedy } = call;
  const cause = causeNames.find((one) => one === name) ?? null;
  const row = findCause(cause);
  const at = cause === null ? "rules" : causes[cause].check;
  const performed = checks.filter((one) => one === at || !OPTIONAL.includes(one));
  const last = performed.indexOf(at);
  // Numbered worlds such as `ci-41` and `ci-42` are similar but distinct, so none is suggested for another.
  const series = (name: string): string => name.replaceAll(/\d+/g, "0");
  const [near] = nearestNames(
    world,
    worlds.filter((one) => series(one) !== series(world)),
  );
  const isThere = worlds.includes(world);
  const deletion = deletedAt === null ? null : formatDuration(Date.parse(call.at) - deletedAt);
  const missing =
    deletion !== null
      ? `World ${world} was deleted ${deletion} before this call`
      : `World ${world} ${isThere ? "didn’t exist then" : "doesn’t exist"}`;
  const meant =
    near === undefined || isThere || deletion !== null || remedy?.includes(near)
      ? ""
      : ` If you meant world ${near}, send \`x-sandbox-tenant: ${near}\`.`;
  const ofMethod = cause === "method" && isOperation(call) ? describeMethodRemedy("POST", call.path) : null;
  const notes = noteIgnoredHead(call, world);
  // Only refused credentials can be caused by the missing world: accepted ones would have created it.
  const isFirst = at === "credentials" || deletion !== null;
  const why = reason ?? row?.sentence ?? "";
  const undo = deletion === null ? "" : ` To get back what the world held, ${describeUndo(world)}.`;
  // A world that was deleted took the keys that were issued in it.
  const isKeyGone = deletion !== null && cause === "credentials";
  return {
    ...(notes.length > 0 ? { notes } : {}),
    ...{ id, operation, correction: null, suggestions: [], more_suggestions: 0, ignored: [], nearest: null },
    checks: performed.map((check, index) => ({
      check,
      name: checkNames[check],
      verdict: index < last ? "passed" : index === last ? "refused" : "not_reached",
    })),
    refusal: {
      ...{
        code,
        status,
        whose_side: isKeyGone ? "sandbox" : "partner",
        cause,
        pointers: [],
        section: row?.section ?? null,
        decisions: [],
      },
      sentence: isKeyGone
        ? `${missing}, with its keys.`
        : (isFirst ? `${missing}. ${why}` : `${why} ${missing}: an accepted call creates it.`).trim(),
      what_to_do: isKeyGone
        ? `Install again for a new key and ID, or ${describeUndo(world)}.`
        : `${remedy ?? ofMethod ?? row?.remedy ?? "Name a world that exists."}${meant}${undo}`,
    },
  };
};
