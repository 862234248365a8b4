import type { Readiness } from "../contract/control/readiness-operations.ts";
import { readinessVerdict } from "../contract/control/readiness-verdict.ts";
import { verdictWord } from "../contract/drills.ts";

/** Controls, changes of direction and ends of lines: none of them belongs into a line of text. */
const NO_TEXT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** A value as text that is no markup, behind the beginning of its line. */
export const markdownText = (value: string): string =>
  value
    .replace(NO_TEXT, " ")
    .replace(/[\\`*_[\]|~@]/g, "\\$&")
    // What would become a link by itself.
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");

/** A value as code: shown as it is, and led to by nobody. */
export const markdownCode = (value: string): string =>
  `\`${value.replace(NO_TEXT, " ").replaceAll("`", "'").replaceAll("|", "\\|")}\``;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const day = (at: string | null): string => (at === null ? "never" : `${at.slice(0, 10)} ${at.slice(11, 16)}`);
const atLeast = (count: number, isMinimum: boolean): string => (isMinimum ? `the newest ${count}` : String(count));

type Drill = Readiness["receiver"]["drills"][number];
const latestWords = (drill: Drill["drill"], { verdict, proves, at }: NonNullable<Drill["latest"]>): string =>
  `${proves ? verdictWord(drill, verdict) : `${verdict}, which proves nothing`} ${day(at)}`;

/** What an integration has done, as a page to hand on. No name, address or sentence of others in it is markup. */
export const readinessMarkdown = (of: Readiness): string => {
  const { record, summary, receiver } = of;
  const lines = [
    `# Readiness of ${markdownText(of.organization_name)}, ${of.scope}`,
    readinessVerdict(of),
    `Integration ${markdownCode(of.integration_id)}${of.client_id === null ? "" : `, client ${markdownCode(of.client_id)}`}, ${of.preloaded ? "pre-loaded" : `installed ${day(of.installed_at)}`}. Times are UTC.`,
    `Counted: ${atLeast(record.calls, record.calls_is_minimum)} calls since ${record.since === null ? "never" : day(record.since)}, ${atLeast(record.deliveries, record.deliveries_is_minimum)} deliveries. The world keeps its record for ${record.max_age_hours} hours and up to ${record.max_megabytes} MB. Calls of the explorer, of scenarios, of assistants and of replays are not counted, nor are drills on the sandbox’s own receiver.`,
    `Met: ${summary.operations.met} of ${summary.operations.of} operations of the contract and ${summary.extensions.met} of ${summary.extensions.of} extensions, ${summary.error_codes.met} of ${summary.error_codes.of} error codes, ${summary.events.met} of ${summary.events.of} event types; ${summary.drills.passed} of ${summary.drills.of} drills passed, ${summary.drills.met} run.`,
    "## Operations",
    table(
      ["operation", "calls", "done", "refused", "last"],
      of.operations.map((one) => [
        `${markdownCode(one.operation)}${one.origin === "other" ? ", not one of its side" : ""}`,
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
      ["type", "acknowledged", "pending", "failed", "last"],
      of.events.map((one) => [
        markdownCode(one.event_type),
        one.delivered > one.acknowledged
          ? `${one.acknowledged}, and ${one.delivered - one.acknowledged} by the sandbox's own receiver`
          : one.acknowledged,
        one.pending,
        one.failed,
        day(one.last_at),
      ]),
    ),
    "## Receiver",
    ...(receiver.subscriptions.length === 0
      ? ["No subscription."]
      : [
          receiver.subscriptions
            .map(({ url, paused }) => `- ${markdownCode(url)}${paused ? ", paused" : ""}`)
            .join("\n"),
        ]),
    `Acknowledged at the first attempt: ${receiver.first_attempt}. After a failed attempt: ${receiver.later_attempt}. Given up: ${receiver.given_up}.`,
    table(
      ["drill", "receiver", "passed", "failed", "latest", "why"],
      receiver.drills.map(({ drill, title, passed, failed, latest }) => [
        markdownText(title),
        latest === null ? "" : markdownCode(latest.url),
        ...[passed, failed, latest === null ? "never run" : latestWords(drill, latest)],
        latest === null ? "" : markdownText(latest.sentence),
      ]),
    ),
    "## What to do next",
    of.next.length === 0
      ? "Nothing is left."
      : of.next.map(({ name, do: step }) => `- ${markdownCode(name)}: ${markdownText(step)}`).join("\n"),
  ];
  return `${lines.join("\n\n")}\n`;
};
