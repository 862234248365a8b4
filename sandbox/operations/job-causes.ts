import type { RefusalReason } from "../contract/errors.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { isUuid } from "../contract/schema.ts";
import type { JobRecord } from "../rules/records.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import { describeEarlierFault, EARLIER_CALL, type EarlierCall, MAX_CALLS_SEARCHED } from "./earlier-calls.ts";
import type { Caller } from "./handler.ts";
import { describeSpelling, findKind, withoutQuotes } from "./likely-mistakes.ts";
import {
  findDeletion,
  refineDeleted,
  refineDeletion,
  refineEarlier,
  refineExternalElsewhere,
  refineIdElsewhere,
} from "./missing-records.ts";
import {
  advise,
  describeEmptyValue,
  findOrganizationName,
  means,
  possessive,
  type RefusedCall,
  refine,
} from "./refused-call.ts";

export type Identity = { readonly id?: unknown; readonly external?: unknown };

export const findJob = ({ stores }: World, { id, external }: Identity): JobRecord | undefined => {
  if (typeof id === "string") return stores.jobs.get(id.toLowerCase());
  if (typeof external !== "string") return undefined;
  return stores.directory
    .organizations()
    .map(({ id: organization }) => stores.jobs.find({ external }, organization))
    .find((job) => job !== undefined);
};

/** Newest jobs searched for a claim number, or for another spelling of an external ID. */
const MAX_JOBS_SEARCHED = 500;

/** Newest orders searched by their content. */
export const MAX_ORDERS_SEARCHED = 200;

/** A job of the caller's organization, and the kind of number it was named by. */
interface NumberedJob {
  readonly id: string;
  readonly external_id: string | null;
  readonly kind: string;
}

/** Job of the caller's organization with this number. Searches the newest jobs for others than the job number. */
export const findNumbered = ({ db, stores }: World, caller: Caller, number: string): NumberedJob | null => {
  const { organization_id } = caller;
  for (const site of stores.directory.listBusinesses(organization_id)) {
    const job = stores.jobs.byNumber(site.id, number);
    if (job) return { id: job.id, external_id: job.external_id, kind: "number" };
  }
  const found = db.get<NumberedJob>(
    `SELECT id, external_id, CASE ? WHEN claim_number THEN 'claim number' WHEN plate_number THEN 'plate number' ELSE 'chassis number' END AS kind
     FROM (SELECT * FROM jobs ORDER BY seq DESC LIMIT ${MAX_JOBS_SEARCHED})
     WHERE organization_id = ? AND ? IN (claim_number, plate_number, chassis_number) LIMIT 1`,
    ...[number, organization_id, number],
  );
  return found ?? null;
};

/** Order of the caller's organization as the buyer, by its ID or its reference, which is searched in the newest ones. */
const findOwnOrder = ({ db }: World, { organization_id }: Caller, value: string) =>
  db.get<{ readonly job_id: string; readonly reference: string }>(
    `SELECT job_id, coalesce(reference, id) AS reference FROM procurements WHERE buyer_organization_id = ?
     AND (id = ? OR seq IN (SELECT seq FROM (SELECT seq, reference FROM procurements ORDER BY seq DESC LIMIT ${MAX_ORDERS_SEARCHED}) WHERE reference = ?)) LIMIT 1`,
    ...[organization_id, value.toLowerCase(), value.trim()],
  );

/** Job of the caller's organization that a value of another kind stands for: the ID of a part, or an order's. */
const findJobOf = (world: World, caller: Caller, value: string) => {
  const order = findOwnOrder(world, caller, value);
  if (order)
    return {
      job_id: order.job_id,
      words: isUuid(value) ? `the ID of order ${order.reference}` : "the reference of an order",
    };
  const { jobs, parts } = world.stores;
  const ofPart = isUuid(value) ? jobs.get(parts.findJobId(value.toLowerCase()) ?? "") : undefined;
  return ofPart?.organization_id === caller.organization_id ? { job_id: ofPart.id, words: "the ID of a part" } : null;
};

export const refineJob = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const { world, input, caller, findOrigin } = call;
  const [pointer = ""] = why.pointers;
  const identity = (valueAt(input, pointer) ?? {}) as Identity;
  const { stores } = world;
  const found = findJob(world, identity);
  if (found && caller && found.organization_id !== caller.organization_id) {
    const [owner, own] = [found.organization_id, caller.organization_id].map((id) => findOrganizationName(world, id));
    return refine(why, "job_of_another", `The job belongs to ${owner}; this key is ${possessive(own ?? "")}.`);
  }
  const { id, external } = identity;
  const emptyValueProblem = typeof external === "string" ? describeEmptyValue("external", external) : null;
  if (emptyValueProblem) return refine(why, "job_unknown", emptyValueProblem);
  if (typeof id === "string") {
    const kind = findKind(world, id);
    const of = caller && findJobOf(world, caller, id);
    if (of)
      return means(
        { ...why, cause: "id_of_other_kind" },
        `The ID is ${of.words}, not of a job. Its job is \`${of.job_id}\`.`,
        [[`${pointer}/id`, of.job_id]],
      );
    if (kind && kind.is !== "key")
      return {
        ...refine(why, "id_of_other_kind", `The ID is ${kind.words}, not of a job.`),
        remedy: `Send the job’s own ID as \`${pointer}/id\`, or the identifier that your program gave it as \`${pointer}/external\`.`,
      };
    const deletion = findDeletion(world, id.toLowerCase());
    if (deletion) return refineDeletion(why, call, deletion);
  }
  if (typeof external === "string" && caller) {
    const other = isUuid(external) ? stores.jobs.get(external) : undefined;
    const asExternal = { ...why, cause: "id_as_external" } as const;
    if (other)
      return other.organization_id === caller.organization_id
        ? means(asExternal, "`external` holds the job’s ID, which belongs in `id`.", [[pointer, { id: other.id }]])
        : { ...asExternal, fact: "`external` holds the ID of another organization’s job." };
    const of = findJobOf(world, caller, external);
    if (of)
      return means(asExternal, `\`external\` holds ${of.words}. Its job is \`${of.job_id}\`.`, [
        [pointer, { id: of.job_id }],
      ]);
    const numbered = findNumbered(world, caller, external);
    if (numbered) {
      const { id: meant, external_id, kind } = numbered;
      return means(
        asExternal,
        `\`external\` holds the job’s ${kind}. \`external\` is the identifier your program gave it.`,
        [[pointer, external_id === null ? { id: meant } : { external: external_id }]],
      );
    }
  }
  if (typeof external === "string" && caller) {
    const spelled = findSpelledExternal(world, caller, external);
    if (spelled)
      return means(
        { ...why, cause: "job_unknown" },
        `\`external\` is ${spelled.spelling}: the job has \`${spelled.external_id}\`.`,
        [[`${pointer}/external`, spelled.external_id]],
      );
    const refused = findRefusedInsert(world, caller, external);
    if (refused) return refineRefusedInsert(why, world, refused);
  }
  // One lookup per world. An external ID is only looked up in the same organization.
  const bare = typeof external === "string" ? withoutQuotes(external) : "";
  const spellings: (string | null)[] = [];
  const isIn = ({ stores: { jobs } }: World): boolean => {
    if (typeof id === "string") return jobs.get(id.toLowerCase()) !== undefined;
    if (typeof external !== "string" || caller === null) return false;
    const isThere = (one: string): boolean => jobs.find({ external: one }, caller.organization_id) !== undefined;
    const spelling = isThere(external) ? "" : isThere(bare) ? describeSpelling(external, bare) : null;
    if (spelling !== null) spellings.push(spelling);
    return spelling !== null;
  };
  if (typeof id === "string")
    return refineIdElsewhere(refineEarlier(why, "job_from_before", world, id, findOrigin), "This job", id, call, isIn);
  const told = refineExternalElsewhere(refineDeleted(why, external, call), call, isIn);
  const [spelling] = spellings;
  return !spelling || !told.elsewhere
    ? told
    : { ...told, elsewhere: { ...told.elsewhere, fact: `${told.elsewhere.fact} \`external\` is ${spelling}.` } };
};

/** Names the job that has a part. */
export const refinePart = (why: RefusalReason, { world, input, caller }: RefusedCall): RefusalReason => {
  const { stores } = world;
  const id = String(valueAt(input, `${why.pointers[0]}/id`)).toLowerCase();
  const job = stores.jobs.get(stores.parts.findJobId(id) ?? "");
  if (!job || !caller) return why;
  if (job.organization_id !== caller.organization_id)
    return { ...why, fact: `The part belongs to a job of ${findOrganizationName(world, job.organization_id)}.` };
  const external = job.external_id === null ? "" : ` (\`external\`: \`${job.external_id}\`)`;
  return advise(
    { ...why, fact: `The part belongs to job \`${job.id}\`${external}.` },
    `To change the part, send \`/job_identity\` as \`{"id":"${job.id}"}\`. To insert a new part, leave out the part’s \`identity\`.`,
  );
};

/** Finds the external ID that another spelling of it names, and describes the difference. */
const findSpelledExternal = (
  { db }: World,
  { organization_id }: Caller,
  external: string,
): { readonly external_id: string; readonly spelling: string } | null => {
  const known = db.all<{ readonly external_id: string }>(
    `SELECT external_id FROM (SELECT organization_id, external_id FROM jobs ORDER BY seq DESC LIMIT ${MAX_JOBS_SEARCHED}) WHERE organization_id = ? AND length(external_id) <= 100`,
    organization_id,
  );
  for (const { external_id } of known) {
    const spelling = describeSpelling(external, external_id);
    if (spelling) return { external_id, spelling };
  }
  return null;
};

/** Insert that was refused, or that a fault kept from running, of a job that a later call names. */
const findRefusedInsert = ({ db }: World, { integration_id }: Caller, external: string): EarlierCall | undefined =>
  db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE (status >= 400 OR (status = 0 AND instr(faults, '"before"') > 0)) AND seq > (SELECT max(seq) FROM requests) - ${MAX_CALLS_SEARCHED} ` +
      "AND operation = 'repairer.jobs.insert' AND integration_id = ? AND length(request_body) <= 65536 " +
      "AND instr(CAST(request_body AS TEXT), ?) > 0 ORDER BY seq DESC LIMIT 1",
    integration_id,
    JSON.stringify(external),
  );
const refineRefusedInsert = (why: RefusalReason, world: World, insert: EarlierCall): RefusalReason => {
  const passed = formatDuration(realTime() - world.db.fromStored(insert.at));
  const fault = describeEarlierFault(world, insert);
  const fact = fault
    ? `The job doesn’t exist, because its insert ${passed} before this call never ran: ${fault}.`
    : `The job doesn’t exist, because its insert was refused with ${insert.status}, ${passed} before this call.`;
  const remedy = fault
    ? "Send the insert again, then this call."
    : "Correct the insert as its own explanation says, and send it again. Then send this call.";
  return { ...refine(why, "job_unknown", fact), remedy, earlier: insert.id, ...(fault ? { side: "fault" } : {}) };
};
