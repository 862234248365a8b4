import type {
  Evidence,
  Judged,
  JudgedReadiness,
  Readiness,
  RequiredCheck,
} from "../contract/control/readiness-operations.ts";
import { readinessVerdict } from "../contract/control/words.ts";
import { drills, verdictLabel } from "../contract/drills.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { plural } from "../contract/text.ts";

type Next = Readiness["next"][number];

const checkKey = ({ kind, name }: RequiredCheck): string => `${kind} ${name}`;

/** Next step for an operation that was never called, or never with success. */
export const operationStep = ({ operation: id, calls }: Readiness["operations"][number]): Next => {
  const operation = partnerOperations.find((one) => one.id === id);
  const sofar = calls === 0 ? "" : " None of its calls so far succeeded.";
  const what = operation
    ? `Send POST ${operationPath(operation)} from the partner’s program. ${operation.summary}${sofar}`
    : "";
  return { kind: "operation", name: id, do: what };
};

type CheckedReport = Pick<Readiness, "operations" | "error_codes" | "events" | "receiver">;

const listOperationChecks = ({ operations }: CheckedReport, origin: "contract" | "extension"): RequiredCheck[] =>
  operations.filter((one) => one.origin === origin).map(({ operation }) => ({ kind: "operation", name: operation }));

/** All checks of a readiness report, met or not. Of the operations, only those of the contract. */
export const listReadinessChecks = (readiness: CheckedReport): RequiredCheck[] => [
  { kind: "subscription", name: "webhooks.subscribe" },
  ...listOperationChecks(readiness, "contract"),
  ...readiness.error_codes.map(({ code }) => ({ kind: "error_code" as const, name: code })),
  ...readiness.events.map(({ event_type }) => ({ kind: "event" as const, name: event_type })),
  { kind: "retry", name: "retry" },
  ...readiness.receiver.drills.map(({ drill }) => ({ kind: "drill" as const, name: drill })),
];

/**
 * Checks required of an integration: the plan's checks that its side can meet.
 *
 * @param plan null requires everything except error codes, which a program need not provoke, and extensions
 */
export const listRequiredChecks = (
  readiness: CheckedReport,
  plan: { readonly requires: readonly RequiredCheck[] } | null,
): RequiredCheck[] => {
  if (plan === null) return listReadinessChecks(readiness).filter(({ kind }) => kind !== "error_code");
  const required = new Set(plan.requires.map(checkKey));
  return [...listReadinessChecks(readiness), ...listOperationChecks(readiness, "extension")].filter((check) =>
    required.has(checkKey(check)),
  );
};

/**
 * Evaluates an integration by a plan. Checks its side can't meet, such as the other side's operations, are not
 * required. An integration without required checks is never ready.
 */
export const evaluateReadiness = (
  readiness: Readiness,
  plan: { readonly name: string; readonly requires: readonly RequiredCheck[] } | null,
): Judged => {
  const required = listRequiredChecks(readiness, plan);
  const left = new Map(readiness.next.map((step) => [checkKey(step), step]));
  // The report suggests only steps within the contract.
  for (const one of readiness.operations) {
    const step = operationStep(one);
    if (one.origin === "extension" && one.done === 0) left.set(checkKey(step), step);
  }
  const unmet = required.flatMap((check) => left.get(checkKey(check)) ?? []);
  return {
    plan: plan?.name ?? null,
    required: required.length,
    met: required.length - unmet.length,
    unmet,
    ready: readiness.record.calls > 0 && required.length > 0 && unmet.length === 0,
  };
};

/** Control characters, direction changes and line ends, which must not appear in a line of text. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Escapes a value so that none of it is Markdown markup. Not for the start of a line. */
export const markdownText = (value: string): string =>
  value
    .replace(CONTROL_CHARACTERS, " ")
    .replace(/[\\`*_[\]|~@]/g, "\\$&")
    // Prevents automatic links.
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");

/** Formats a value as inline code, without links. */
export const markdownCode = (value: string): string =>
  `\`${value.replace(CONTROL_CHARACTERS, " ").replaceAll("`", "'").replaceAll("|", "\\|")}\``;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const day = (at: string | null): string => (at === null ? "never" : `${at.slice(0, 10)} ${at.slice(11, 16)}`);

type Drill = Readiness["receiver"]["drills"][number];
const latestWords = (drill: Drill["drill"], { verdict, proves, at }: NonNullable<Drill["latest"]>): string =>
  `${proves ? verdictLabel({ drill, verdict }) : "inconclusive: it rejects valid notifications too,"} ${day(at)}`;

/** Without a plan, the report itself lists what is missing. */
const planLines = ({ plan, met, required, ready, unmet }: JudgedReadiness["judged"]): string[] => {
  if (plan === null) return [];
  const left = unmet.length === 0 ? "" : ` Not met: ${unmet.map(({ name }) => markdownCode(name)).join(", ")}.`;
  return [`Plan ${markdownText(plan)}: ${met} of ${required} met, ${ready ? "ready" : "not ready"}.${left}`];
};

/** Readiness report as Markdown. Names, addresses and texts of others are escaped. */
export const readinessMarkdown = (of: JudgedReadiness): string => {
  const { record, summary, receiver, judged } = of;
  const lines = [
    `# Readiness of ${markdownText(of.organization_name)}, ${of.scope}`,
    readinessVerdict(of),
    ...planLines(judged),
    `Integration ${markdownCode(of.integration_id)}, ${of.preloaded ? "pre-loaded" : `installed ${day(of.installed_at)}`}. Times are UTC.`,
    `Counted: ${record.calls} calls since ${day(record.since)} and ${record.deliveries} deliveries, the newest 5,000 at most. Calls by the explorer, scenarios, assistants and replays are not counted, nor are deliveries to the sandbox’s own receivers.`,
    `Met: ${summary.operations.met} of ${summary.operations.of} operations of the contract, ${summary.error_codes.met} of ${summary.error_codes.of} error codes, ${summary.events.met} of ${summary.events.of} event types; ${summary.drills.passed} of ${summary.drills.of} drills passed, ${summary.drills.met} run.`,
    "## Operations",
    table(
      ["operation", "calls", "done", "refused", "last"],
      of.operations.map((one) => [
        `${markdownCode(one.operation)}${one.origin === "other" ? ", not for its side" : ""}`,
        ...[one.calls, one.done, one.refused, day(one.last_at)],
      ]),
    ),
    "## Error codes",
    table(
      ["code", "calls", "last"],
      of.error_codes.map((one) => [markdownCode(one.code), one.calls, day(one.last_at)]),
    ),
    "## Events",
    table(
      ["type", "acknowledged", "failed", "last"],
      of.events.map((one) => [markdownCode(one.event_type), one.acknowledged, one.failed, day(one.last_at)]),
    ),
    "## Receiver",
    receiver.subscriptions.length === 0
      ? "No subscription."
      : receiver.subscriptions
          .map(({ url, paused, sandbox }) => {
            const notes = [
              ...(paused ? ["paused"] : []),
              ...(sandbox ? ["the sandbox’s own receiver: not counted"] : []),
            ];
            return `- ${[markdownCode(url), ...notes].join(", ")}`;
          })
          .join("\n"),
    `Acknowledged at the first attempt: ${receiver.first_attempt}. After a failed attempt: ${receiver.later_attempt}.`,
    table(
      ["drill", "receiver", "latest", "why"],
      receiver.drills.map(({ drill, latest }) => [
        markdownText(drills[drill].title),
        ...(latest === null
          ? ["", "never run", ""]
          : [markdownCode(latest.url), latestWords(drill, latest), markdownText(latest.sentence)]),
      ]),
    ),
    "## Next steps",
    of.next.length === 0
      ? "Nothing left to do."
      : of.next.map(({ name, do: step }) => `- ${markdownCode(name)}: ${markdownText(step)}`).join("\n"),
  ];
  return `${lines.join("\n\n")}\n`;
};

const checkWords = ({ kind, name }: RequiredCheck): string =>
  kind === name ? name : `${kind.replace("_", " ")} ${name}`;

const listed = (checks: readonly RequiredCheck[]): string => checks.map(checkWords).join(", ") || "none";

/** Describes what the evidence proves: checks, world, period and number of calls. */
export const evidenceStatement = (of: Omit<Evidence, "statement">): string => {
  const { readiness, world, service, unmet, required_checks, contract } = of;
  const { record, integration_id, organization_name, scope } = readiness;
  const missing = new Set(unmet.map(checkKey));
  const met = required_checks.filter((check) => !missing.has(checkKey(check)));
  const counted =
    record.calls === 0
      ? "made no call"
      : `made ${plural(record.calls, "call")} between ${day(record.since)} and ${day(record.until)} UTC`;
  return [
    `The integration ${integration_id} of ${organization_name} (${scope}) ${counted}, in world ${world} of ${service.url}, and its receivers were sent ${plural(record.deliveries, "notification")}.`,
    `Of ${required_checks.length} required checks it has met ${met.length}: ${listed(met)}.`,
    `Not met: ${listed(unmet)}.`,
    `An operation is met by a call that succeeded, an event by a notification that a receiver outside the sandbox acknowledged, a drill by the right responses of every such receiver.`,
    `Calls by the explorer, scenarios, assistants and replays are not counted, nor are the responses of the sandbox’s own receivers. Of calls and of deliveries the newest 5,000 are counted.`,
    `The contract is version ${contract.version}, ${contract.digest}.`,
  ].join(" ");
};
