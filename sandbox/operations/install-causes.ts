import type { RefusalReason } from "../contract/errors.ts";
import { formatDuration } from "../rules/timestamp.ts";
import type { AccessCodeRow } from "../storage/credentials-store.ts";
import type { World } from "../worlds/world.ts";
import { findDecisiveMove } from "./clock-moves.ts";
import {
  describeUnclearResponse,
  EARLIER_CALL,
  type EarlierCall,
  MAX_CALLS_SEARCHED,
  sideOf,
} from "./earlier-calls.ts";
import { describeSimilar, findKind, withoutQuotes } from "./likely-mistakes.ts";
import { advise, describeEmptyValue, findBeginning, isLately, type RefusedCall, refine } from "./refused-call.ts";

type Install = { readonly client_id: string; readonly client_secret: string; readonly access_code: string };

const UNKNOWN_CLIENT = "No client has this `client_id`.";
export const refineClient = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
  const { client_id, client_secret } = input as Install;
  const emptyValueProblem = describeEmptyValue("client_id", client_id);
  if (emptyValueProblem) return refine(why, "client_id_of_other_kind", emptyValueProblem);
  const clients = world.stores.credentials.clients();
  const kind = findKind(world, client_id);
  if (kind?.is === "secret" && clients.some((one) => one.client_id === client_secret))
    return refine(why, "client_swapped");
  const ofSecret = clients.find((one) => one.client_secret === client_secret);
  const sendOfSecret = ofSecret ? `Send \`client_id\` as \`${ofSecret.client_id}\`.` : null;
  if (kind) return advise(refine(why, "client_id_of_other_kind", `\`client_id\` holds ${kind.words}.`), sendOfSecret);
  const named = clients.find((one) => one.name === client_id);
  if (named)
    return advise(
      refine(why, "client_id_of_other_kind", "`client_id` holds the name of a client."),
      `Send \`client_id\` as \`${named.client_id}\`.`,
    );
  const meant = clients.find((one) => describeSimilar(client_id, [one.client_id]) !== null);
  if (!meant)
    return ofSecret
      ? advise({ ...why, fact: `${UNKNOWN_CLIENT} The secret is that of ${ofSecret.client_id}.` }, sendOfSecret)
      : why;
  return advise(
    refine(why, "client_id_nearly", `\`client_id\` is ${describeSimilar(client_id, [meant.client_id])}.`),
    `Send \`client_id\` as \`${meant.client_id}\`.`,
  );
};

export const refineSecret = (why: RefusalReason, { world, input, findServiceKeys }: RefusedCall): RefusalReason => {
  const { client_id, client_secret } = input as Install;
  const ofService = Object.values(findServiceKeys?.()?.clients ?? {});
  if (ofService.some((one) => one.client_secret === client_secret))
    return advise(
      { ...why, fact: "This world has its own client secrets. The service’s, which the call sent, don’t work in it." },
      "Send the client’s secret of this world: `clients.list` shows it if `reveal` is true.",
    );
  const emptyValueProblem = describeEmptyValue("client_secret", client_secret);
  if (emptyValueProblem) return refine(why, "client_secret_of_other_kind", emptyValueProblem);
  const clients = world.stores.credentials.clients();
  const own = clients.find((one) => one.client_id === client_id);
  const nearly = describeSimilar(client_secret, own ? [own.client_secret] : []);
  if (nearly) return refine(why, "client_secret_nearly", `\`client_secret\` is ${nearly}.`);
  const other = clients.find((one) => one.client_secret === client_secret);
  if (other)
    return refine(
      why,
      "client_secret_wrong",
      `\`client_secret\` is the secret of ${other.client_id}, not of ${client_id}.`,
    );
  const kind = findKind(world, client_secret);
  return kind && kind.is !== "secret"
    ? refine(why, "client_secret_of_other_kind", `\`client_secret\` holds ${kind.words}.`)
    : why;
};

/** Installation that a code was exchanged for. */
const findExchange = (
  { db }: World,
  { client_id, organization_id, scope, consumed_at }: AccessCodeRow,
): { readonly integration_id: string } | undefined =>
  consumed_at === null
    ? undefined
    : db.get<{ readonly integration_id: string }>(
        "SELECT integration_id FROM credentials WHERE organization_id = ? AND scope = ? AND client_id = ? AND created_at = ?",
        ...[organization_id, scope, client_id, db.toStored(consumed_at)],
      );

/** Call that made an installation. */
const findInstall = ({ db }: World, integration: string): EarlierCall | undefined =>
  db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE seq > (SELECT max(seq) FROM requests) - ${MAX_CALLS_SEARCHED} AND operation = 'integrations.insert'
     AND EXISTS (SELECT 1 FROM log WHERE trace_id = requests.id AND kind = 'state' AND instr(data, ?)) ORDER BY seq DESC LIMIT 1`,
    integration,
  );

/** Explains a code that the same client used, by whether the response arrived. */
const refineUsed = (why: RefusalReason, world: World, integration: string): RefusalReason => {
  const fact =
    `${why.fact ?? ""} An earlier call of the same client exchanged it for the integration \`${integration}\`.`.trim();
  const install = findInstall(world, integration);
  const response = install ? describeUnclearResponse(world, install) : null;
  const told = { ...why, fact, ...(install ? { earlier: install.id } : {}) };
  return response === null || !install
    ? {
        ...told,
        remedy: "Use the key and the ID of that response. If they were lost, get a new access code: each works once.",
      }
    : {
        ...told,
        ...sideOf(world, install),
        fact: `${fact} ${response}`,
        remedy: "Get a new access code and install again: the key was in the response that didn’t arrive.",
      };
};

/** Says that a reset or a restore may have deleted a code; null if there was none lately. */
const describeDeletedCode = (
  world: World,
  code: string,
  findOrigin: RefusedCall["findOrigin"],
): Pick<RefusalReason, "fact" | "side"> | null => {
  const beginning = findBeginning(world, findOrigin);
  const { how, ago, side } = beginning;
  if (how === "created or reset" || how === "copied" || !isLately(beginning) || findKind(world, code)?.is !== "code")
    return null;
  const fact = `This access code doesn’t exist in this world, which was ${how} ${ago} before this call. Codes from before don’t work any more.`;
  return { fact, ...side };
};

export const refineCode = (
  why: RefusalReason,
  { world, named, input, findOtherWorld, findOrigin }: RefusedCall,
): RefusalReason => {
  const { access_code } = input as Install;
  const { credentials } = world.stores;
  const code = credentials.code(access_code);
  if (code) {
    const moved = code.consumed_at === null ? findDecisiveMove(world, code.issued_at, code.expires_at) : null;
    if (moved !== null)
      return {
        ...refine(
          why,
          "access_code_clock",
          `The access code expired because this world’s clock was moved ${formatDuration(moved)} ahead after it was issued.`,
        ),
        side: "sandbox",
      };
    const first = code.client_id === (input as Install).client_id ? findExchange(world, code) : undefined;
    if (!first) return why;
    return refineUsed(why, world, first.integration_id);
  }
  const emptyValueProblem = describeEmptyValue("access_code", access_code);
  if (emptyValueProblem) return refine(why, "access_code_of_other_kind", emptyValueProblem);
  const kind = findKind(world, access_code);
  if (kind && kind.is !== "code")
    return refine(why, "access_code_of_other_kind", `\`access_code\` holds ${kind.words}.`);
  const nearly = describeSimilar(access_code, credentials.codes());
  if (nearly && /^https?:/i.test(access_code))
    return refine(
      why,
      "access_code_nearly",
      "`access_code` holds a whole address. The code is the value of its `code`.",
    );
  if (nearly) return refine(why, "access_code_nearly", `The code is ${nearly}.`);
  const bare = withoutQuotes(access_code.replace(/^\s*Bearer\s/i, ""));
  let isUsed = false;
  const name = findOtherWorld?.(({ stores: { credentials: one } }) => {
    const issued = one.code(access_code) ?? one.code(bare);
    isUsed = typeof issued?.consumed_at === "number";
    return issued !== undefined;
  });
  if (name === undefined) return { ...why, ...describeDeletedCode(world, access_code, findOrigin) };
  const worldText =
    named === "default" ? "this call went to default, the world of calls that name none" : `this call names ${named}`;
  const spelling = describeSimilar(access_code, [bare]);
  const spelled = spelling === null ? "" : ` The code is ${spelling}.`;
  const fact = `The code was issued${isUsed ? " and used" : ""} in world ${name}; ${worldText}.${spelled}`;
  const remedy = `Get a new access code for the world that you mean. The key of the earlier install works in world ${name}.`;
  return { ...why, elsewhere: { world: name, fact, ...(isUsed ? { remedy } : {}) } };
};
