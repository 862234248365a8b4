import { type Cause, causes, findCause } from "../contract/causes.ts";
import type { Edit } from "../contract/control/explain-operations.ts";
import type { RequestDetail } from "../contract/control/rows.ts";
import { type RefusalReason, sentence } from "../contract/errors.ts";
import { isObject } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import {
  basketsLatestGet,
  jobsInsert,
  partnerOperations,
  partsList,
  repairerProcurementsList,
} from "../contract/operations/partner.ts";
import { enumerate } from "../contract/text.ts";
import { describePlaceholderRemedy, isPlaceholder } from "../operations/likely-mistakes.ts";
import { DEFAULT_WORLD, describeWorldRemedy } from "../rules/worlds/world-name.ts";
import type { ProposedCorrection } from "./correction.ts";
import { describeMethodRemedy, describeParameters, hasNoFields } from "./parameters-body.ts";

/** Longest value shown in a sentence. */
const MAX_SHOWN_CHARS = 80;

/** Fields that a remedy names one by one. */
const MAX_FIELDS = 8;

const describeEdit = ({ pointer, after }: Edit): string | null => {
  const value = JSON.stringify(after) ?? "";
  return value.length <= MAX_SHOWN_CHARS ? `\`${pointer}\` as \`${value}\`` : null;
};

/** Remedy for invalid fields, by their names. @param edits all known ones; errors may remain */
export const describeShapeRemedy = (
  { pointers }: RefusalReason,
  body: unknown,
  edits: readonly Edit[],
): string | null => {
  const named = pointers.filter((one) => one !== "");
  const steps = { add: [] as string[], send: [] as string[], omit: [] as string[], correct: [] as string[] };
  for (const pointer of named.slice(0, MAX_FIELDS)) {
    const edit = edits.find((one) => one.pointer === pointer || pointer.startsWith(`${one.pointer}/`));
    const sent = edit && describeEdit(edit);
    if (valueAt(body, pointer) === undefined) steps.add.push(`\`${pointer}\``);
    else if (edit && edit.after === undefined) steps.omit.push(`\`${pointer}\``);
    else if (sent) steps.send.push(sent);
    else steps.correct.push(`\`${pointer}\``);
  }
  const more = named.length - MAX_FIELDS;
  if (more > 0) steps.correct.push(`${more} more`);
  const done = [
    steps.add.length > 0 ? `add ${enumerate(steps.add)}` : "",
    steps.send.length > 0 ? `send ${enumerate(steps.send)}` : "",
    steps.omit.length > 0 ? `leave ${enumerate(steps.omit)} out` : "",
    steps.correct.length > 0 ? `correct ${enumerate(steps.correct)}` : "",
  ].filter((one) => one !== "");
  if (done.length === 0) return null;
  const isWhole = steps.send.length > 0 && done.length === 1;
  return sentence(`${done.join("; ")}${isWhole ? "" : ", then send the call again"}`);
};

/** Remedy for values that are wrong beside the names that a remedy tells to change; null for others. */
export const describeFurtherEdits = (remedy: string, { correction }: ProposedCorrection): string | null => {
  const further = (correction?.edits ?? []).filter(
    ({ pointer, before, after }) => before !== undefined && after !== undefined && !remedy.includes(`\`${pointer}\``),
  );
  const values = further.slice(0, MAX_FIELDS).flatMap((edit) => describeEdit(edit) ?? []);
  return values.length === 0 ? null : `Also send ${enumerate(values)}.`;
};

/** Remedy for a value that a program didn't fill in or printed as an object; null for others. */
const describeUnfilled = (body: unknown, [pointer = ""]: readonly string[]): string | null => {
  const value = valueAt(body, pointer);
  const [sent] = isObject(value) ? Object.values(value) : [value];
  if (typeof sent !== "string") return null;
  if (sent.includes("[object ")) return "Send the object’s field, not the object: the program joined it with a text.";
  return isPlaceholder(sent) ? describePlaceholderRemedy(sent) : null;
};

const hostOf = ({ request_headers }: RequestDetail): string =>
  request_headers.find(([name]) => name === "host")?.[1].replace(/:\d+$/, "") ?? "";

/** A field that may take a list. */
interface TakenList {
  readonly items?: { readonly type?: string };
}

/** Operations that list records of one job only. */
const LISTS_OF_JOB: Readonly<Record<string, string>> = {
  [repairerProcurementsList.id]: "orders",
  [partsList.id]: "parts",
  [basketsLatestGet.id]: "offers",
};
const describeListOfJob = ({ operation }: RequestDetail, body: unknown): string | null => {
  const records = LISTS_OF_JOB[operation ?? ""];
  const isWithoutJob = records !== undefined && isObject(body) && Object.keys(body).length === 0;
  return isWithoutJob
    ? `Add \`/job_identity\`: it lists the ${records} of one job. No operation lists those of all jobs.`
    : null;
};

/** Option of an HTTP client that sends JSON in place of a form, by the client's `User-Agent`. */
const JSON_OPTIONS: readonly (readonly [agent: RegExp, advice: string])[] = [
  [/^python-(?:requests|httpx)\//, "Pass the fields as `json=`, not as `data=`."],
  [/^GuzzleHttp\//, "Pass the fields as `json`, not as `form_params`."],
];
const describeJsonOption = ({ request_headers }: RequestDetail): string | null => {
  const find = (header: string): string => request_headers.find(([name]) => name === header)?.[1] ?? "";
  const option = JSON_OPTIONS.find(([agent]) => agent.test(find("user-agent")))?.[1];
  return option && find("content-type").startsWith("application/x-www-form-urlencoded")
    ? `${causes.media_type.remedy} ${option}`
    : null;
};

/** Remedy for a list in place of an object, by whether the operation takes such a list in a field. */
const describeListRemedy = (operation: string | null): string => {
  const request = partnerOperations.find(({ id }) => id === operation)?.request;
  const fields = Object.entries(request?.properties ?? {}) as readonly [string, TakenList][];
  const list = fields.find(([, { items }]) => items?.type === "object")?.[0];
  const noun = operation === jobsInsert.id ? "job" : "object of the list";
  return list === undefined
    ? `Send one call for each ${noun}: the operation takes one object.`
    : `Send one JSON object, with the list in its field \`${list}\`.`;
};

/** Remedy derived from the call; null if only the cause gives one. */
export const describeCallRemedy = (
  call: RequestDetail,
  cause: Cause | null,
  why: RefusalReason | null,
  body: unknown,
  { correction, edits }: Pick<ProposedCorrection, "correction" | "edits">,
): string | null => {
  const allow = call.response_headers.find(([name]) => name === "allow")?.[1];
  if (cause === "method" && call.path.startsWith("/__media/"))
    return "Send the picture to the `upload_url`. The `public_url` is for reading.";
  if (cause === "method" && call.path.startsWith("/__uploads/"))
    return /^(?:GET|HEAD)$/.test(call.method)
      ? "Send the picture to the `upload_url` with PUT. To read it, use the `public_url` of the same response."
      : "Send the picture with the method PUT.";
  if (cause === "method" && allow) return describeMethodRemedy(allow, call.path);
  if (cause === "shape" && call.path.includes("?") && hasNoFields(call))
    return describeParameters(call.path, "Send the");
  if (cause === "json_list") return describeListRemedy(call.operation);
  const ofJob = cause === "shape" ? describeListOfJob(call, body) : null;
  if (ofJob !== null) return ofJob;
  if (cause === "media_type") return describeJsonOption(call);
  if (cause === "host" && why)
    return `Call the service at the address that it printed, or start it with \`--allow-host ${hostOf(call)}\`.`;
  const unfilled = why && describeUnfilled(body, why.pointers);
  if (unfilled) return unfilled;
  const meant = why?.meant && correction?.edits.filter(({ after }) => after !== undefined).map(describeEdit);
  if (meant?.length && !meant.includes(null)) return `Send ${enumerate(meant.map(String))}.`;
  if (cause === "shape" && why && body !== undefined) return describeShapeRemedy(why, body, edits);
  const edit = edits.at(-1);
  if (cause === "job_exists" && valueAt(correction?.body, "/if_/exists") === "replace")
    return 'Send `if_` as `{"exists":"replace"}`.';
  const isNearest = typeof findCause(cause)?.fix === "string" && edit;
  return isNearest ? `Send the nearest one known: \`${String(edit.after).slice(0, MAX_SHOWN_CHARS)}\`.` : null;
};

/** Remedy for a reason in another world that the reader may see; null for other reasons. */
export const describeElsewhereRemedy = (
  cause: string | null,
  why: Pick<RefusalReason, "elsewhere"> | null,
): string | null => {
  const other = why?.elsewhere?.world;
  if (other === undefined) return null;
  if (cause === "upload_elsewhere")
    return other === DEFAULT_WORLD
      ? "Send the picture to the whole `upload_url`, which has no `world`: it was issued in world `default`."
      : `Send the picture to the whole \`upload_url\`, which ends with \`world=${other}\`.`;
  return cause?.endsWith("_other_world") ? (why?.elsewhere?.remedy ?? describeWorldRemedy(other)) : null;
};

/** Remedy by the address or the cause. */
export const describeRemedy = (cause: Cause | null, nearest: readonly string[]): string => {
  if (nearest[0] !== undefined) return `Check the address. The nearest one is \`${nearest[0]}\`.`;
  return findCause(cause)?.remedy ?? "Correct what the response names, then send the call again.";
};
