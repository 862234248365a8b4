import { refuseFor } from "../contract/causes.ts";
import { Refusal } from "../contract/errors.ts";
import type { JobIdentity } from "../contract/resources/job.ts";
import {
  type ReadTestValues,
  readTestValues,
  TEST_PREFIX,
  type TestAnswer,
  type TestOutcomes,
  type TestValueName,
  type TestValueNote,
} from "../contract/test-values.ts";
import type { JobRecord, ProcurementRecord } from "../rules/records.ts";
import { afterMs, findSupplierRule } from "../rules/worlds/counterparts.ts";
import type { Stores } from "../storage/stores.ts";
import type { World } from "../worlds/world.ts";
import type { CallerContext, HandlerContext } from "./handler.ts";
import { aboutJob } from "./views.ts";

type PolicyContext = Pick<HandlerContext, "policies">;
type NoteContext = Pick<HandlerContext, "policies" | "note">;

/** A call that a test value of its job delays or responds to (D93). It has changed nothing yet. */
export class DelayedCall extends Refusal {
  readonly jobId: string;
  readonly read: ReadTestValues;

  constructor(jobId: string, read: ReadTestValues) {
    super("internal_error");
    this.jobId = jobId;
    this.read = read;
  }
}

/** Test values of a claim number in this world; null if there are none (D93). */
const parseTestValues = ({ policies }: PolicyContext, claimNumber: string | null): ReadTestValues | null =>
  policies.test_values === "on" ? readTestValues(claimNumber) : null;

/** Notes for the record about one test value. */
export const testValueNotes = ({ notes }: ReadTestValues, name: TestValueName): TestValueNote[] =>
  notes.filter(({ value, known }) => known && value.startsWith(`${name}=`));

/** Records test values in fields other than `claim_number`, where they have no effect (D93). */
export const noteMisplaced = (
  { policies, note }: NoteContext,
  fields: readonly (readonly [field: string, text: string | null | undefined])[],
): void => {
  for (const [field, text] of fields) {
    if (!text?.startsWith(TEST_PREFIX) || policies.test_values === "off") continue;
    if (!readTestValues(text)?.notes.some(({ known }) => known)) continue;
    const sentence = `A test value counts only in claim_number, so this one in ${field} has no effect.`;
    note([{ value: text.slice(0, 200), known: false, sentence }]);
  }
};

/** Outcome of one test value, recorded on the call; undefined if the claim number doesn't have it. */
export const readTestValue = <N extends TestValueName>(
  context: NoteContext,
  { claim_number }: Pick<JobRecord, "claim_number">,
  name: N,
): TestOutcomes[N] | undefined => {
  const read = parseTestValues(context, claim_number);
  if (read?.outcomes[name] === undefined) return undefined;
  context.note(testValueNotes(read, name));
  return read.outcomes[name];
};

const hasResponseLeft = ({ stores }: Pick<HandlerContext, "stores">, id: string, { answer }: TestOutcomes): boolean =>
  answer !== undefined && stores.jobs.testAnswers(id) < answer.times;

/**
 * The caller's job with this identity; jobs of other organizations are not found (D25). A test value may first delay
 * the call or respond to it.
 *
 * @param pointer location of the identity in the body
 */
export const findNamedJob = (
  context: CallerContext,
  identity: JobIdentity,
  pointer: "/identity" | "/job_identity",
): JobRecord | Refusal => {
  const job = context.stores.jobs.find(identity, context.caller.organization_id);
  if (!job) return refuseFor("job_unknown", [pointer]);
  if (!context.heedsTestValues) return job;
  const read = parseTestValues(context, job.claim_number);
  if (!read || (!read.outcomes.delay && !hasResponseLeft(context, job.id, read.outcomes))) return job;
  context.about(aboutJob(job));
  return new DelayedCall(job.id, read);
};

/** Takes one of the test value's remaining responses; null if none is left. */
export const takeTestAnswer = (world: World, jobId: string): Promise<TestAnswer | null> =>
  world.write(() => {
    const { jobs } = world.stores;
    const read = parseTestValues(world, jobs.get(jobId)?.claim_number ?? null);
    if (!read?.outcomes.answer || !hasResponseLeft(world, jobId, read.outcomes)) return null;
    jobs.setTestAnswers(jobId, jobs.testAnswers(jobId) + 1);
    return read.outcomes.answer;
  });

const acts = [
  ["confirm", "confirm-after"],
  ["cancel", "cancel-after"],
] as const;

/** Schedules a confirmation or cancellation that the claim number requests. @returns whether it does */
const scheduleRequestedResponse = (context: HandlerContext, job: JobRecord, order: ProcurementRecord): boolean => {
  const read = parseTestValues(context, job.claim_number);
  if (!read) return false;
  const requestedActs = acts.filter(([, name]) => read.outcomes[name] !== undefined);
  for (const [kind, name] of requestedActs) {
    const notes = testValueNotes(read, name);
    context.note(notes);
    context.stores.acts.insert({
      kind,
      due_at: order.created_at + (read.outcomes[name] ?? 0),
      organization_id: order.supplier_organization_id,
      test_value: notes[0]?.value ?? name,
      job_id: job.id,
      procurement_id: order.id,
    });
  }
  return requestedActs.length > 0;
};

/** Schedules the response of a supplier's rule. @param now by the world's clock: the order may have waited for a test value */
export const scheduleByRule = (
  { settings, acts }: Pick<Stores, "settings" | "acts">,
  { id, job_id, supplier_organization_id: organization_id }: ProcurementRecord,
  now: number,
): void => {
  const rule = findSupplierRule(settings.get("counterparts"), organization_id);
  if (rule?.does !== "confirm" && rule?.does !== "cancel") return;
  acts.insert({
    ...{ kind: rule.does, due_at: now + afterMs(rule), organization_id, rule_id: rule.id },
    ...{ job_id, procurement_id: id },
  });
};

/** Schedules the supplier's automatic response: by the job's claim number (D93), else by a rule of the world (D92). */
export const scheduleResponse = (context: HandlerContext, job: JobRecord, order: ProcurementRecord): void => {
  if (!scheduleRequestedResponse(context, job, order)) scheduleByRule(context.stores, order, context.now);
};

/** Records the test values of a new claim number, and drops the effects of the old one. */
export const applyClaimChange = (context: HandlerContext, before: JobRecord | null, after: JobRecord): void => {
  const read = parseTestValues(context, after.claim_number);
  if (read) context.note(read.notes);
  const isTest = (claim: string | null | undefined): boolean => claim?.startsWith(TEST_PREFIX) ?? false;
  if (!before || before.claim_number === after.claim_number) return;
  if (!isTest(before.claim_number) && !isTest(after.claim_number)) return;
  const { acts, jobs, procurements } = context.stores;
  jobs.setTestAnswers(after.id, 0);
  acts.dropResponses(after.id);
  for (const order of procurements.listByJob(after.id))
    if (order.status === "order_requested") scheduleResponse(context, after, order);
};
