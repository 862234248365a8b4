import { scenariosRecord } from "../contract/control/recording-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { type BoundControl, control, StreamedAnswer } from "./handler.ts";

/** Scenarios of what was called. */
export const recordingControls: readonly BoundControl[] = [
  control(scenariosRecord, async (context, { trace_ids, since, name = null, start = false }) => {
    if ((trace_ids === undefined) === (since === undefined))
      return refuse("bad_request", "the body must have exactly one of trace_ids, since");
    const { world, snapshots, info, controlToken, hungUp } = context;
    const ids = trace_ids?.map((id) => id.toLowerCase()) ?? null;
    const asked = { ids, name, start, baseUrl: info.baseUrl, secrets: [controlToken] };
    const answer = await snapshots.record(world, asked, hungUp);
    return answer instanceof Refusal ? answer : new StreamedAnswer(answer);
  }),
];
