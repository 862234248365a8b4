import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type Activity,
  type ActivityGroup,
  activityList,
  type GroupCaller,
} from "../contract/control/activity-operations.ts";
import { requestsList } from "../contract/control/operations.ts";
import { sideLabels } from "../contract/control/rows.ts";
import { COMMAND } from "../contract/package-name.ts";
import { isUuid } from "../contract/schema.ts";
import { plural, shortId, terminalText } from "../contract/text.ts";
import { parseSince } from "../rules/worlds/activity.ts";
import { ScenarioClient } from "../scenario/scenario-client.ts";
import { matching, worldName } from "./environment.ts";
import { newCommand } from "./program.ts";
import { addServiceOptions, type ServiceOptions, withService } from "./running-service.ts";

const HELP = `
Prints what went wrong in all worlds that the token opens, grouped by cause, most frequent first: refused calls and failed
delivery attempts, with their callers and the last call. Times are UTC. Terminal control characters are escaped.

Exit status: 0 when done, 1 if no running service is found, 2 for an invalid option, address, token or world.

Examples:
  $ ${COMMAND} activity --since 24h
  $ ${COMMAND} activity --since 7d --world acme --user-agent acme-dms/
  $ ${COMMAND} activity --url https://sandbox.example.com --token-file token.txt`;

interface ActivityOptions extends ServiceOptions {
  readonly since: string;
  readonly world?: string;
  readonly integration?: string;
  readonly userAgent?: string;
}

const since = (text: string): string => {
  if (parseSince(text, Date.now()) === null)
    throw new InvalidArgumentError("It must be a span such as 30m, 1h or 7d, or a past time in RFC 3339 format.");
  return text;
};

const activityCommand = (): Command =>
  addServiceOptions(newCommand("activity", "Prints what went wrong in the worlds of a running service.", HELP))
    .addOption(
      new Option("--since <time>", "how far back, such as 30m, 1h or 7d, or a time").argParser(since).default("1h"),
    )
    .option("--world <name>", "only this world (default: all)", worldName)
    .option("--integration <id>", "only this integration", matching(isUuid, "an integration ID"))
    .option("--user-agent <text>", "only calls whose User-Agent header starts with this text");

const clock = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)}`;

const failureLine = ({ count, world, integration_id, organization_name, side, user_agent }: GroupCaller): string => {
  const who =
    integration_id === null
      ? "no valid credentials"
      : [organization_name, side && sideLabels[side], shortId(integration_id)].filter(Boolean).join(", ");
  return `    ${String(count).padStart(6)}  ${world}: ${who}${user_agent === null ? "" : `, ${user_agent}`}`;
};

const groupLines = ({ count, status, sentence, what_to_do, expected, ...group }: ActivityGroup): string[] => {
  const { callers, more_callers, last_call, kind } = group;
  const what = kind === "call" ? "Last call" : "Last delivery";
  return [
    `${String(count).padStart(6)}  ${status === 0 ? "no response" : status}  ${sentence}${expected ? " (expected)" : ""}`,
    ...(expected ? [] : [`        ${what_to_do}`]),
    `        ${what}: ${clock(last_call.at)}  ${last_call.operation ?? "no operation"}  ${last_call.id} in ${last_call.world}`,
    ...callers.map(failureLine),
    ...(more_callers === 0 ? [] : [`            and ${plural(more_callers, "more caller")}`]),
  ];
};

/** Failures as lines for a person, with terminal control characters escaped. */
const activityLines = ({ from, calls, deliveries, expected, items, last_call }: Activity): string[] => {
  const since = `since ${clock(from)} UTC`;
  const last = last_call === null ? "" : ` The last failure: ${clock(last_call.at)} in ${last_call.world}.`;
  const counts = `${plural(calls, "refused call")} and ${plural(deliveries, "failed delivery attempt")} ${since}`;
  const first =
    items.length === 0
      ? `Nothing went wrong ${since}.${last}`
      : `${counts}${expected === 0 ? "" : `; ${expected} of them expected`}.`;
  return [first, ...items.flatMap((group) => ["", ...groupLines(group)])].map(terminalText);
};

/** `sandbox activity`. @throws CommanderError for a bad option */
export const activity = (argv: readonly string[]): Promise<number> =>
  withService<ActivityOptions>(activityCommand(), argv, async ({ baseUrl, token }, given) => {
    const { since: from, world, integration: integration_id, userAgent: user_agent } = given;
    const input = { since: from, world, integration_id, user_agent };
    const client = ScenarioClient.reaching(baseUrl, token);
    // Fails for a missing world, because a misspelled name would look like a world without failures.
    if (world !== undefined) await client.must(requestsList.id, { world, limit: 1 });
    const found = await client.must<Activity>(activityList.id, input);
    process.stdout.write(`${activityLines(found).join("\n")}\n`);
  });
