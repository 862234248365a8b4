import type { RefusalReason } from "../contract/errors.ts";
import { jobsDelete } from "../contract/operations/partner.ts";
import type { World } from "../worlds/world.ts";
import { EARLIER_CALL, type EarlierCall, MADE_CHANGE, MAX_CALLS_SEARCHED, tellEarlier } from "./earlier-calls.ts";
import {
  addLoss,
  advise,
  findBeginning,
  findLaterBeginning,
  hasIssued,
  isLately,
  type RefusedCall,
  refineFromBefore,
  refineOtherWorld,
} from "./refused-call.ts";

const DELETED = `operation = 'repairer.jobs.delete' AND ${MADE_CHANGE}`;
export const findDeletion = ({ db }: World, job: string): EarlierCall | undefined =>
  db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE job_id = ? AND ${DELETED} ORDER BY seq DESC LIMIT 1`,
    job,
  );
export const refineDeletion = (why: RefusalReason, call: RefusedCall, deletion: EarlierCall): RefusalReason =>
  advise(
    tellEarlier({ ...why, cause: "job_deleted" }, call, deletion, "{who} deleted the job, {passed} before this call"),
    call.operation === jobsDelete.id ? "Nothing is left to do." : null,
  );

export const refineDeleted = (why: RefusalReason, external: unknown, call: RefusedCall): RefusalReason => {
  const { world, caller, findOrigin } = call;
  // A deleted job is known by the change alone.
  const deletion = world.db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE seq > (SELECT max(seq) FROM requests) - ${MAX_CALLS_SEARCHED} AND ${DELETED}
     AND integration_id IN (SELECT integration_id FROM credentials WHERE organization_id = ?)
     AND EXISTS (SELECT 1 FROM log WHERE trace_id = requests.id AND kind = 'state'
       AND ? IN (json_extract(data, '$.before.external_id'), json_extract(data, '$.before.job_number')))
     ORDER BY seq DESC LIMIT 1`,
    ...[caller?.organization_id ?? null, String(external)],
  );
  if (deletion) return refineDeletion(why, call, deletion);
  return typeof external === "string"
    ? { ...why, ...(describeRestore(world, findOrigin) ?? describeNoInsert(world, findOrigin)) }
    : why;
};

/** Says that a world was restored lately; null if it wasn't. */
const describeRestore = (
  world: World,
  findOrigin: RefusedCall["findOrigin"],
): Pick<RefusalReason, "fact" | "remedy" | "side"> | null => {
  const beginning = findBeginning(world, findOrigin);
  const { how, ago, side } = beginning;
  return how !== "restored" || !isLately(beginning)
    ? null
    : {
        fact: `The world has no such job. It was restored ${ago} before this call, without jobs that were inserted after its snapshot was saved.`,
        remedy: "Insert the job in this world if the restore deleted it, then send the call again.",
        ...side,
      };
};

/** Says that a world had no insert yet, as after a reset; null if it had one, or more calls than are searched. */
const describeNoInsert = (
  world: World,
  findOrigin: RefusedCall["findOrigin"],
): Pick<RefusalReason, "fact" | "remedy" | "side"> | null => {
  const found = world.db.get<{ readonly calls: number; readonly inserts: number | null }>(
    `SELECT count(*) AS calls, sum(operation = 'repairer.jobs.insert' AND status = 200) AS inserts FROM (SELECT operation, status FROM requests LIMIT ${MAX_CALLS_SEARCHED})`,
  );
  if (!found || found.calls === MAX_CALLS_SEARCHED || found.inserts) return null;
  const { how, ago, side } = findBeginning(world, findOrigin);
  return {
    fact:
      how === "created or reset" || how === "copied"
        ? `No job was inserted since this world was ${how}, ${ago} before this call.`
        : `This world was ${how} ${ago} before this call, and no job was inserted since. A ${how === "deleted" ? "deletion" : "reset"} deletes earlier jobs.`,
    remedy: "Insert the job in this world, then send the call again.",
    ...side,
  };
};
export const refineEarlier = (
  why: RefusalReason,
  cause: "job_from_before" | "procurement_from_before",
  world: World,
  id: string,
  findOrigin: RefusedCall["findOrigin"],
): RefusalReason => {
  const later = findLaterBeginning(world, id, findOrigin);
  return later === null ? why : refineFromBefore(why, cause, "This ID", world, later);
};

/**
 * Adds the other world that has a record. One that this world lost before is told beside that, unless the other world
 * issued the ID.
 */
export const refineIdElsewhere = (
  why: RefusalReason,
  what: string,
  id: string,
  call: RefusedCall,
  isIn: (world: World) => boolean,
): RefusalReason => {
  const { named, findOtherWorld } = call;
  let isOwn = false;
  const name = findOtherWorld?.((other) => {
    const found = isIn(other);
    if (found) isOwn = hasIssued(other, id);
    return found;
  });
  if (name === undefined) return addLoss(why, id, call, LOST_RECORD);
  if (why.side === undefined || isOwn) return refineOtherWorld(why, what, named, name);
  return { ...why, elsewhere: { world: name, fact: `World ${name} has a copy of it.`, beside: true } };
};

const LOST_RECORD =
  "If it was in world {world}, create it again there: `snapshots.list` has the checkpoint of what that world held. Else check the ID and the API key.";

/** Adds the other worlds that have a job with the same external ID. It names one of them only if no other has it. */
export const refineExternalElsewhere = (
  why: RefusalReason,
  { named, findOtherWorld }: RefusedCall,
  isIn: (world: World) => boolean,
): RefusalReason => {
  if (why.cause === "job_deleted") return why;
  const one = findOtherWorld?.(isIn);
  const another = one === undefined ? undefined : findOtherWorld?.((world) => world.name !== one && isIn(world));
  if (one === undefined || (another === undefined && why.side === undefined))
    return refineOtherWorld(why, "This job", named, one);
  const have = another === undefined ? `World ${one} has` : `Worlds ${one} and ${another} have`;
  const own = why.fact === undefined ? { fact: "No job in this world has this `external`." } : {};
  return {
    ...why,
    ...own,
    elsewhere: {
      world: one,
      fact: `${have} a job of that name.`,
      beside: true,
      remedy: `${why.remedy ?? "Insert the job in this world, then send the call again."} If the call is meant for ${another === undefined ? one : "another world"}, name that in \`x-sandbox-tenant\`.`,
    },
  };
};
