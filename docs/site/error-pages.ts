import { ANY_CALL } from "../../sandbox/contract/cause-examples.ts";
import { type Cause, causeNames, causeSentence, causes } from "../../sandbox/contract/causes.ts";
import { policyChoices } from "../../sandbox/contract/control/policies.ts";
import { drillNames } from "../../sandbox/contract/drill-names.ts";
import { drills } from "../../sandbox/contract/drills.ts";
import { type ErrorCode, errorCodes } from "../../sandbox/contract/errors.ts";
import { getDecision } from "../../sandbox/contract/openapi/decisions.ts";
import { requestExamples } from "../../sandbox/contract/openapi/examples.ts";
import { sinkRefusals, subscriptionRefusals } from "../../sandbox/contract/openapi/routes.ts";
import { type Operation, operationCodes, operationPath } from "../../sandbox/contract/operation.ts";
import { partnerOperations } from "../../sandbox/contract/operations/partner.ts";
import { type RejectReason, rejectReasons } from "../../sandbox/contract/signature.ts";
import { decisionLines } from "./assumptions-page.ts";
import { curl } from "./call.ts";
import { operationSlug } from "./operation-pages.ts";
import { type Page, pageHref, stacked, table } from "./page.ts";

const errorSlug = (code: string): string => `reference/errors/${code}`;

const operations: readonly Operation[] = partnerOperations;
const SUBSCRIBE = { id: "webhooks.subscribe", scope: "none", errors: [] } as const;

/** Returns the operations that refuse a cause with this code. */
const refusingOperations = (cause: Cause, code: string): readonly Operation[] =>
  operations.filter((one) => (causes[cause].code ?? one.shapeError) === code);

/** A refused call of the first operation that can return the code, in a new world. */
const reproduction = (cause: Cause, code: string): string => {
  // Occurs only in a deployed sandbox.
  if (cause === "https_required") return "";
  const { example } = causes[cause] as { example?: (typeof causes)["shape"]["example"] };
  if (!example) return "";
  for (const operation of refusingOperations(cause, code)) {
    const body = { ...requestExamples[operation.id as keyof typeof requestExamples] };
    const call = example(operation, body);
    if (call) return curl({ path: operationPath(operation), scope: operation.scope }, body, call);
  }
  const call = example(SUBSCRIBE, {});
  if (call) return curl({ path: "/__webhooks/subscribe", scope: "none" }, {}, call);
  const any = example(ANY_CALL, {});
  // Its operation has no code of its own for an unreadable body (D3).
  const isOfCode = (causes[cause].code ?? "bad_request") === code;
  return any?.path && isOfCode ? curl({ path: "/", scope: "none" }, {}, any) : "";
};

/** Names the setting that enables a cause, in a sentence; empty if a cause also occurs without it. */
const settingFor = (cause: Cause): string => {
  const policy = causes[cause].decisions.flatMap((id) => getDecision(id).policy ?? [])[0];
  if (policy === undefined) return "";
  const [usual, ...others]: readonly string[] = policyChoices[policy];
  if (usual === "reject" || !others.includes("reject")) return "";
  return `Only in a world with the setting \`${policy}\` = \`reject\`.`;
};

const causeText = (cause: Cause, code: string): string => {
  const row = causes[cause];
  const { arises } = row as { readonly arises?: string };
  const setting = settingFor(cause);
  const call = setting === "" ? reproduction(cause, code) : "";
  return stacked(
    // An anchor for the explorer's links, which survives changes of the sentence.
    `<span id="${cause}"></span>`,
    `### ${causeSentence(row, null).replace(/\.$/, "")}`,
    `**Fix:** ${row.remedy}`,
    setting,
    row.section === null ? "" : `Section of the contract: ${row.section}.`,
    decisionLines(row.decisions),
    arises === undefined ? "" : `**How it comes about:** ${arises}`,
    call === "" ? "" : "Reproduce it in a sandbox that has just started:",
    call,
  );
};

const causeSections = (code: string): Cause[] =>
  causeNames.filter((name) => {
    const own: string | null = causes[name].code;
    return own === null ? operations.some(({ shapeError }) => shapeError === code) : own === code;
  });

const operationList = (code: ErrorCode): string => {
  const returning = operations.filter((operation) => operationCodes(operation).includes(code));
  const links = returning.map(({ id }) => `- [\`${id}\`](${pageHref(operationSlug(id))})`);
  return stacked("## Operations that return it", links.join("\n"));
};

const codePage = (code: ErrorCode): Page => {
  const { status, origin, meaning, ...more } = errorCodes[code];
  const known = causeSections(code);
  const returned = operations.some((operation) => operationCodes(operation).includes(code));
  return {
    slug: errorSlug(code),
    title: code,
    description: meaning,
    body: stacked(
      `Status ${status}. ${meaning}`,
      origin === "contract" ? "The contract defines this code." : decisionLines([origin]),
      "## Causes and fixes",
      ...known.map((cause) => causeText(cause, code)),
      known.length === 0 && "remedy" in more ? `**Fix:** ${String(more.remedy)}` : "",
      returned ? operationList(code) : "",
    ),
  };
};

const subscriptionPage = (reason: string): Page => {
  const known = causeSections(reason);
  const [first = "not_json"] = known;
  return {
    slug: errorSlug(reason),
    title: reason,
    description: causeSentence(causes[first], null),
    body: stacked(
      `A subscription is refused: \`POST /__webhooks/subscribe\` returns 400 with \`"reason": "${reason}"\`.`,
      "## Causes and fixes",
      ...(known.length > 0 ? known : (["not_json"] as const)).map((cause) => causeText(cause, reason)),
      `See [Receive webhooks](${pageHref("how-to/receive-webhooks")}#subscribe).`,
    ),
  };
};

const fixes: Record<RejectReason, { readonly cause: string; readonly fix: string }> = {
  missing_signature: {
    cause: "The notification has no `service-hmac-sha256` header.",
    fix: "If the sandbox sent it, check that your proxy or framework passes the header on.",
  },
  bad_signature: {
    cause: "The signature doesn't match the bytes that arrived and your secret.",
    fix: "Verify the raw body, before it is parsed, with the secret of the integration that the body names.",
  },
  missing_timestamp: {
    cause: "`webhook_timestamp` is missing or not a time.",
    fix: "Read it as an RFC 3339 time. A lenient parser accepts values that are no time.",
  },
  stale_timestamp: {
    cause: "`webhook_timestamp` is more than 5 minutes from now, in the past or in the future.",
    fix: "Synchronise your server's clock, and compare `webhook_timestamp`, not `event_timestamp`.",
  },
};

const notificationPage = (reason: RejectReason): Page => {
  const { cause, fix } = fixes[reason];
  const status = sinkRefusals[401].some((one) => one === reason) ? 401 : 400;
  const provoking = drillNames.filter((name) => drills[name].expects.reason === reason);
  return {
    slug: errorSlug(reason),
    title: reason,
    description: cause,
    body: stacked(
      `A receiver refuses a notification for this reason. The test receiver returns ${status}; any 4xx refuses.`,
      "## Cause and fix",
      cause,
      `**Fix:** ${fix}`,
      "## Drills that provoke it",
      table(
        ["Drill", "What is sent", "Why it matters"],
        provoking.map((name) => [`\`${name}\``, drills[name].sends, drills[name].why]),
      ),
      `See [Verify a webhook](${pageHref("how-to/verify-webhooks")}) for tested code in seven languages.`,
    ),
  };
};

/** One page per error code. */
export const errorPages: readonly Page[] = [
  ...(Object.keys(errorCodes) as ErrorCode[]).map(codePage),
  ...subscriptionRefusals.map(subscriptionPage),
  ...rejectReasons.map(notificationPage),
];
