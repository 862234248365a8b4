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
import type { World } from "../worlds/world.ts";
import type { CallerContext, HandlerContext } from "./handler.ts";
import { aboutJob } from "./views.ts";

type Switched = Pick<HandlerContext, "policies">;
type Noting = Pick<HandlerContext, "policies" | "note">;

/** A call that a test value of the job it names holds up or answers (D93): it has done nothing yet. */
export class HeldUp extends Refusal {
  readonly jobId: string;
  readonly read: ReadTestValues;

  constructor(jobId: string, read: ReadTestValues) {
    super("internal_error");
    this.jobId = jobId;
    this.read = read;
  }
}

/** What a claim number brings about in this world; null: nothing (D93). */
export const testValuesIn = ({ policies }: Switched, claimNumber: string | null): ReadTestValues | null =>
  claimNumber?.startsWith(TEST_PREFIX) && policies.test_values === "on" ? readTestValues(claimNumber) : null;

/** What the record says of one of them. */
export const testValueNotes = ({ notes }: ReadTestValues, name: TestValueName): TestValueNote[] =>
  notes.filter(({ value, known }) => known && value.startsWith(`${name}=`));

/** Notes values that were sent where they have no effect: in another field than `claim_number` (D93). */
export const noteMisplaced = (
  { policies, note }: Noting,
  fields: readonly (readonly [field: string, text: string | null | undefined])[],
): void => {
  for (const [field, text] of fields) {
    if (!text?.startsWith(TEST_PREFIX) || policies.test_values === "off") continue;
    if (!readTestValues(text)?.notes.some(({ known }) => known)) continue;
    const sentence = `A test value counts only in claim_number, so this one in ${field} has no effect.`;
    note([{ value: text.slice(0, 200), known: false, sentence }]);
  }
};

/** One thing that a job's claim number asks for, which is noted on the call; undefined: it does not. */
export const metTestValue = <N extends TestValueName>(
  context: Noting,
  { claim_number }: Pick<JobRecord, "claim_number">,
  name: N,
): TestOutcomes[N] | undefined => {
  const read = testValuesIn(context, claim_number);
  if (read?.outcomes[name] === undefined) return undefined;
  context.note(testValueNotes(read, name));
  return read.outcomes[name];
};

/** Whether any answer is left that a job's claim number asks for. */
const answerLeft = ({ stores }: Pick<HandlerContext, "stores">, id: string, { answer }: TestOutcomes): boolean =>
  answer !== undefined && stores.jobs.testAnswers(id) < answer.times;

/**
 * The caller's job that a call names; another organization's is not found (D25). A test value may hold the call up or answer
 * it first.
 *
 * @param pointer where the body names it
 */
export const namedJob = (
  context: CallerContext,
  identity: JobIdentity,
  pointer: "/identity" | "/job_identity",
): JobRecord | Refusal => {
  const job = context.stores.jobs.find(identity, context.caller.organization_id);
  if (!job) return refuseFor("job_unknown", [pointer]);
  if (!context.heedsTestValues) return job;
  const read = testValuesIn(context, job.claim_number);
  if (!read || (!read.outcomes.delay && !answerLeft(context, job.id, read.outcomes))) return job;
  context.about(aboutJob(job));
  return new HeldUp(job.id, read);
};

/** Takes one of the answers that a job's claim number asks for, as it is by now; null: none is left. */
export const takeTestAnswer = (world: World, jobId: string): Promise<TestAnswer | null> =>
  world.write(() => {
    const { jobs } = world.stores;
    const read = testValuesIn(world, jobs.get(jobId)?.claim_number ?? null);
    if (!read?.outcomes.answer || !answerLeft(world, jobId, read.outcomes)) return null;
    jobs.setTestAnswers(jobId, jobs.testAnswers(jobId) + 1);
    return read.outcomes.answer;
  });

const acts = [
  ["confirm", "confirm-after"],
  ["cancel", "cancel-after"],
] as const;

/** Has an order confirmed or cancelled by its supplier when the job's claim number asks for it. @returns whether it does */
const answerAsAsked = (context: HandlerContext, job: JobRecord, order: ProcurementRecord): boolean => {
  const read = testValuesIn(context, job.claim_number);
  if (!read) return false;
  const asked = acts.filter(([, name]) => read.outcomes[name] !== undefined);
  for (const [kind, name] of asked) {
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
  return asked.length > 0;
};

/** Has a supplier answer an order by itself: as the job's claim number asks (D93), else as a rule of the world says (D92). */
export const answerLater = (context: HandlerContext, job: JobRecord, order: ProcurementRecord): void => {
  if (answerAsAsked(context, job, order)) return;
  const { settings, acts } = context.stores;
  const organization_id = order.supplier_organization_id;
  const rule = findSupplierRule(settings.get("counterparts"), organization_id);
  if (!rule || (rule.does !== "confirm" && rule.does !== "cancel")) return;
  acts.insert({
    ...{ kind: rule.does, due_at: order.created_at + afterMs(rule), organization_id, rule_id: rule.id },
    ...{ job_id: job.id, procurement_id: order.id },
  });
};

/** Notes what a job's new claim number asks for. Where it was another one before, that is no longer so. */
export const claimChanged = (context: HandlerContext, before: JobRecord | null, after: JobRecord): void => {
  const read = testValuesIn(context, after.claim_number);
  if (read) context.note(read.notes);
  const isTest = (claim: string | null | undefined): boolean => claim?.startsWith(TEST_PREFIX) ?? false;
  if (!before || before.claim_number === after.claim_number) return;
  if (!isTest(before.claim_number) && !isTest(after.claim_number)) return;
  const { acts, jobs, procurements } = context.stores;
  jobs.setTestAnswers(after.id, 0);
  acts.dropAnswers(after.id);
  for (const order of procurements.listByJob(after.id))
    if (order.status === "order_requested") answerLater(context, after, order);
};
