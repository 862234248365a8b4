import type { RequestDetail } from "../contract/control/rows.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { findUnknown } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import type { JobIdentity } from "../contract/resources/job.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import { describeUnclearResponse, EARLIER_CALL, type EarlierCall, tellEarlier } from "./earlier-calls.ts";
import { findJob, type Identity, refineJob } from "./job-causes.ts";
import { type RefusedCall, refine } from "./refused-call.ts";
import { takeFindings } from "./renamed-fields.ts";

/** Call that inserted a job, even if its response was lost or replaced. */
export const findInsert = ({ db }: World, job: string): EarlierCall | undefined =>
  db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE job_id = ? AND operation = 'repairer.jobs.insert'
     AND EXISTS (SELECT 1 FROM log WHERE trace_id = requests.id AND kind = 'state' AND instr(data, '"change":"inserted"'))
     ORDER BY seq LIMIT 1`,
    job,
  );

/** Period for an identical earlier call, whose response may never have arrived. */
const REPEAT_WINDOW_MS = 10 * 60_000;
/** Lead from which the world's clock is named beside real time. */
const CLOCK_DIFFERENCE_MS = 60_000;
export const refineExisting = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const { world, input, caller } = call;
  const identity = valueAt(input, "/identity") as Identity;
  const job = findJob(world, identity);
  const ignored = takeFindings(findUnknown(jobsInsert.request, input));
  for (const { path, meant } of ignored)
    if (meant?.startsWith("/if_"))
      return refine(why, "job_exists", `The field is called \`if_\`: \`${path.slice(1)}\` was ignored.`);
  if (!job || !caller) return why;
  const earlier = findInsert(world, job.id);
  if (earlier?.integration_id !== caller.integration_id) return why;
  const passed = realTime() - world.db.fromStored(earlier.at);
  const response = describeUnclearResponse(world, earlier);
  if (passed > REPEAT_WINDOW_MS && response === null) return why;
  const byClock = world.now() - job.created_at;
  const clock = byClock - passed < CLOCK_DIFFERENCE_MS ? "" : `, ${formatDuration(byClock)} by this world’s clock`;
  return tellEarlier({ ...why, cause: "job_exists" }, call, earlier, `{who} created the job {passed} earlier${clock}`);
};

export const refineNewId = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const { cause, fact, elsewhere } = refineJob({ ...why, cause: "job_unknown", pointers: ["/identity"] }, call);
  if (elsewhere && !elsewhere.beside) return { ...why, elsewhere };
  return cause === "job_unknown" || !fact ? why : { ...why, fact };
};

/** Tells that the job of a call was inserted after it, so that the same call passes now. */
export const tellLaterInsert = (
  world: World,
  call: Pick<RequestDetail, "integration_id" | "at">,
  why: RefusalReason,
  body: unknown,
): RefusalReason => {
  const caller = world.stores.credentials.findByIntegration(call.integration_id ?? "");
  const named = valueAt(body, why.pointers[0] ?? "") as JobIdentity | undefined;
  if (why.cause !== "job_unknown" || !caller || named === undefined) return why;
  const job = world.stores.jobs.find(named, caller.organization_id);
  const insert = job && findInsert(world, job.id);
  if (!insert) return why;
  const passed = formatDuration(world.db.fromStored(insert.at) - Date.parse(call.at));
  const fact = `${why.fact ?? "No job had this identity."} This one was inserted ${passed} after the call.`;
  return { ...why, fact, remedy: "Wait for the response of the insert, then send the call again." };
};
