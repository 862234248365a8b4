import { Readable } from "node:stream";
import { scenariosRecord } from "../contract/control/recording-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import type { RequestOf } from "../contract/operation.ts";
import { MOST_STEPS, type Recorded, SCENARIO_FORMAT, type Scenario, type Step } from "../contract/scenario.ts";
import { type RecordedSteps, redacted, stepsOf } from "../rules/recording.ts";
import { redactor, secretParameters } from "../rules/redaction.ts";
import { iso } from "../rules/timestamp.ts";
import { armedAt, isWhole, RecordingReader, readThen, type Then, tooMany } from "../scenario/recording.ts";
import type { Exported } from "../snapshots/snapshots.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control, StreamedAnswer } from "./handler.ts";

type Asked = RequestOf<typeof scenariosRecord>;

/** What a recording begins with. */
interface Beginning {
  /** A snapshot; null: the seed. */
  readonly name: string | null;
  readonly then: Then;
  /** Real time. */
  readonly at: number;
}

/** So long others wait at most for the next piece of a recording. */
const TURN_MS = 3;

/** Does work piece by piece, and lets others have their turn in between. */
const inTurns = async <T>(work: Generator<void, T>, hungUp: AbortSignal): Promise<T> => {
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - began < TURN_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    // Nobody is there to be answered.
    hungUp.throwIfAborted();
    began = performance.now();
  }
};

const lost = (world: string): Refusal =>
  refuse(
    "unprocessable",
    `not everything that happened in the world ${world} before these calls is kept any more, and no snapshot from before them goes on to now; save a snapshot, make the calls again, and record them from there`,
  );

/** When the first of the calls was made, or why they cannot be recorded. */
const firstOf = ({ world }: ControlContext, { trace_ids, since }: Asked): number | Refusal => {
  if ((trace_ids === undefined) === (since === undefined))
    return refuse("bad_request", "the body must have exactly one of trace_ids, since");
  let first = Number.POSITIVE_INFINITY;
  for (const id of trace_ids ?? []) {
    const call = world.stores.requests.ofTrace(id.toLowerCase());
    if (!call) return refuse("not_found", `/trace_ids ${id} is no call that is still kept`);
    first = Math.min(first, Date.parse(call.at));
  }
  return first;
};

/** The nearest moment before the calls from which everything is known. */
const beginningOf = async (
  { world, snapshots, hungUp }: ControlContext,
  first: number,
  fromSeed: boolean,
): Promise<Beginning | Refusal> => {
  const earlier = fromSeed ? [] : snapshots.list(world.name).filter(({ created_at }) => created_at <= first);
  for (const { name, created_at } of earlier) {
    const then = await snapshots.look(world, name, readThen);
    if (await inTurns(isWhole(world, then), hungUp)) return { name, then, at: created_at };
  }
  const then = await snapshots.look(world, null, readThen);
  return (await inTurns(isWhole(world, then), hungUp)) ? { name: null, then, at: then.epoch } : lost(world.name);
};

const givenSecrets = ({ db, stores }: World): string[] => [
  ...db
    .all<{ api_key: string; webhook_secret: string }>(
      "SELECT api_key, webhook_secret FROM credentials WHERE preloaded = 1",
    )
    .flatMap(({ api_key, webhook_secret }) => [api_key, webhook_secret]),
  ...stores.credentials.clients().map(({ client_secret }) => client_secret),
  ...db.all<{ url: string }>("SELECT url FROM subscriptions").flatMap(({ url }) => secretParameters(url)),
];

const fileName = (name: string): string =>
  `${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "scenario"
  }.json`;

const titleOf = (steps: readonly Step[]): string => {
  const last = steps.findLast(({ call }) => call !== undefined);
  const { call, came } = last ?? {};
  const what = call?.operation ?? call?.route ?? "calls";
  return `${what.startsWith("{{") ? "an upload" : what} answered ${came?.status ?? "nothing"}`;
};

/** The file, with the exported world in it as it is read. */
async function* answerOf(scenario: Omit<Scenario, "start">, start: Exported | null): AsyncGenerator<string | Buffer> {
  const { steps, ...head } = scenario;
  yield `{"file_name":${JSON.stringify(fileName(scenario.name))},"scenario":${JSON.stringify(head).slice(0, -1)}`;
  if (start) {
    yield ',"start":';
    yield* start.document;
  }
  for (const [index, step] of steps.entries()) yield `${index === 0 ? ',"steps":[' : ","}${JSON.stringify(step)}`;
  yield "]}}";
}

function* recording(
  reader: RecordingReader,
  from: number | null,
  redact: (text: string) => string,
): Generator<void, RecordedSteps | Refusal> {
  const read = yield* reader.read(from);
  if (read instanceof Refusal) return read;
  const { steps, notes } = yield* stepsOf(read);
  const masked: Step[] = [];
  for (const step of steps) {
    masked.push(redacted(step, redact));
    yield;
  }
  return { steps: masked, notes };
}

const recordOf = async (context: ControlContext, asked: Asked): Promise<StreamedAnswer | Refusal> => {
  const { world, snapshots, info, controlToken, hungUp } = context;
  const { trace_ids, name, start = false } = asked;
  const first = firstOf(context, asked);
  if (first instanceof Refusal) return first;
  const beginning = await beginningOf(context, first, !start || trace_ids === undefined);
  if (beginning instanceof Refusal) return beginning;
  const { then, at } = beginning;
  // What was installed looks like what it is; what was given to the service need not.
  const secrets = [controlToken, ...givenSecrets(world)];
  const redact = redactor(secrets);
  const ids = trace_ids ? new Set(trace_ids.map((id) => id.toLowerCase())) : null;
  const reader = new RecordingReader(world, then, { ids, baseUrl: info.baseUrl, redact });
  const made = await inTurns(recording(reader, start ? at : null, redact), hungUp);
  if (made instanceof Refusal) return made;
  if (!(await inTurns(isWhole(world, then), hungUp))) return lost(world.name);
  const { steps, notes } = made;
  if (steps.length === 0) return refuse("unprocessable", `none of these calls can be a step: ${notes.join(" ")}`);
  if (steps.length > MOST_STEPS) return tooMany(steps.length);
  const recorded: Recorded = {
    at: iso(Date.now()),
    version: info.version,
    world: world.name,
    policies: then.policies,
    faults: armedAt(then.faults, at),
    clock_ahead_seconds: then.offset / 1_000,
    ...(start ? { starts_at: iso(at + then.offset) } : {}),
    notes,
  };
  const head = redacted({ scenario: SCENARIO_FORMAT, name: name ?? titleOf(steps), recorded } as const, redact);
  const exported = start ? await snapshots.export(world, beginning.name, { reveal: false, secrets }, hungUp) : null;
  if (exported instanceof Refusal) return exported;
  return new StreamedAnswer(Readable.from(answerOf({ ...head, steps }, exported)));
};

/** Scenarios of what was called. */
export const recordingControls: readonly BoundControl[] = [
  control(scenariosRecord, async (context, asked) => {
    try {
      return await recordOf(context, asked);
    } catch (error) {
      if (!context.hungUp.aborted) throw error;
      return refuse("unprocessable", "the recording was canceled; nothing was changed");
    }
  }),
];
