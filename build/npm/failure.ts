import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { INTERFACE_VERSION } from "../../sandbox/contract/operation.ts";
import { PACKAGE } from "../../sandbox/contract/package-name.ts";
import { REPRODUCTION_EXTENSION, scenarioName } from "../../sandbox/contract/scenario-name.ts";

/** Not in `test-results`, which Playwright empties at each start. */
const FOLDER = "sandbox-failures";
/** Limit on saved failures; older ones are deleted. */
const MAX_FAILURES = 20;
/** Limit on the calls of a page, newest first: nobody reads more. */
const MAX_CALLS = 50;
/** Below the runners' time limit for the saving hook: Jest's is 5 seconds. */
const TIME_LIMIT_MS = 4_000;
const MAX_NAME_LENGTH = 120;
const SAVED = new RegExp(`^(.+-[0-9a-f]{8})\\.(html|${REPRODUCTION_EXTENSION})$`);

/** Returns the folder for a failure: `SANDBOX_TEST_RESULTS`, else the runner's. */
export const resultsFolder = (usual: string = FOLDER): string => process.env.SANDBOX_TEST_RESULTS || usual;

/** World of a failed test. */
export interface FailedWorld {
  readonly name: string;
  /** Calls a control operation in this world. */
  control(operation: string, body?: object): Promise<unknown>;
  /** Masked on the page, like keys. */
  readonly control_token: string;
}

/**
 * Saves a world's calls as a page for the browser and as a reproduction, deletes all but the last 20 failures, and
 * prints a line with the command to open them. Never throws: the line says why nothing was saved.
 *
 * @param test the failed test's name
 * @param folder destination, created if missing
 * @returns the written files
 */
export async function saveFailure(world: FailedWorld, test: string, folder: string): Promise<readonly string[]> {
  const title = test
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
  try {
    const late = AbortSignal.timeout(TIME_LIMIT_MS);
    const inTime = new Promise<never>((_, reject) => {
      late.addEventListener("abort", () => reject(new Error(`it took longer than ${TIME_LIMIT_MS / 1_000} seconds`)));
    });
    const { files, line } = await Promise.race([save(world, title, folder), inTime]);
    print(`The calls of "${title}" were saved. ${line}`);
    return files;
  } catch (error) {
    print(`The calls of "${title}" were not saved: ${failureReason(error, folder)}.`);
    return [];
  }
}

async function save(world: FailedWorld, title: string, folder: string) {
  const [page, recorded] = await Promise.all([writePage(world, title), recordCalls(world, title)]);
  await mkdir(folder, { recursive: true });
  // Unique names keep tests of the same name apart, in two workers or two runs.
  const base = path.join(folder, `${scenarioName(title, [])}-${randomUUID().slice(0, 8)}`);
  const html = `${base}.html`;
  await writeFile(html, page);
  const open = `Open "${relativePath(html)}" in a browser.`;
  await deleteOlder(folder);
  if ("reason" in recorded) return { files: [html], line: `${open} There is no reproduction: ${recorded.reason}` };
  const reproduction = `${base}.${REPRODUCTION_EXTENSION}`;
  await writeFile(reproduction, JSON.stringify(recorded.scenario));
  return {
    files: [html, reproduction],
    line: `${open} Repeat them: npx ${PACKAGE} run "${relativePath(reproduction)}"`,
  };
}

/** Formats a path like the runner: relative to its working directory. */
function relativePath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}

/** The fields of the control plane's response that a page needs. */
interface Items<T> {
  readonly items: readonly T[];
}
interface Credential {
  readonly integration_id: string;
  readonly organization_name: string;
  readonly api_key: string | null;
  readonly webhook_secret: string | null;
}
interface CallRow {
  readonly id: string;
  readonly integration_id: string | null;
}
interface Trace {
  readonly deliveries: readonly { readonly id: string }[];
}

/** The explorer's own writer of shared pages, bundled beside this file. */
interface PageWriter {
  failurePage(title: string, calls: readonly object[], about: object, secrets: readonly string[]): string;
}

/** The calls as one HTML page, oldest first, with the cause of each response and its consequences. */
async function writePage(world: FailedWorld, title: string): Promise<string> {
  const read = async <T>(operation: string, body: object = {}): Promise<T> =>
    (await world.control(operation, body)) as T;
  const [info, credentials, clients, rows] = await Promise.all([
    read<{ readonly version: string }>("service.info"),
    read<Items<Credential>>("credentials.list", { reveal: true }),
    read<Items<{ readonly client_secret: string | null }>>("clients.list", { reveal: true }),
    read<Items<CallRow>>("requests.list", { limit: MAX_CALLS }),
  ]);
  const names = new Map(credentials.items.map((one) => [one.integration_id, one.organization_name]));
  const calls = await Promise.all(
    rows.items.toReversed().map(async ({ id, integration_id }) => {
      const request = await read<{ readonly trace_id: string }>("requests.get", { id });
      const explanation = await read("requests.explain", { id });
      const trace = await read<Trace>("traces.get", { id: request.trace_id });
      const attempts = new Map<string, unknown>();
      for (const { id: delivery } of trace.deliveries)
        attempts.set(
          delivery,
          (await read<{ readonly attempts: unknown }>("deliveries.get", { id: delivery })).attempts,
        );
      return { request, who: names.get(integration_id ?? "") ?? "no known key", explanation, trace, attempts };
    }),
  );
  const secrets = [
    world.control_token,
    ...credentials.items.flatMap(({ api_key, webhook_secret }) => [api_key ?? "", webhook_secret ?? ""]),
    ...clients.items.map(({ client_secret }) => client_secret ?? ""),
  ];
  // Loaded only after a failure.
  const writer: PageWriter = createRequire(path.join(import.meta.dirname, "index.js"))("./page.cjs");
  const about = {
    world: world.name,
    service: info.version,
    contract: INTERFACE_VERSION,
    made_at: new Date().toISOString(),
  };
  return writer.failurePage(title, calls, about, secrets);
}

/** The calls as a scenario that starts from the world before them; or the reason why there is none. */
async function recordCalls(world: FailedWorld, name: string) {
  try {
    const request = { since: "reset", start: true, name };
    const { scenario } = (await world.control("scenarios.record", request)) as { readonly scenario: object };
    return { scenario };
  } catch (error) {
    const reason = refusalMessage(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

/** Deletes all but the newest. Ignores files that another run deletes at the same time. */
async function deleteOlder(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => SAVED.test(file));
  const byFailure = Map.groupBy(files, (file) => SAVED.exec(file)?.[1]);
  const ages = await Promise.all(
    [...byFailure.values()].map(async (saved) => {
      const times = saved.map((file) =>
        stat(path.join(folder, file)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      );
      return { saved, at: Math.max(...(await Promise.all(times))) };
    }),
  );
  const older = ages.toSorted((one, other) => other.at - one.at).slice(MAX_FAILURES);
  for (const file of older.flatMap(({ saved }) => saved)) await rm(path.join(folder, file), { force: true });
}

/** The message of a refused call. */
const refusalMessage = (error: unknown): string | undefined => Object(Object(error).body).message;

/** Returns why nothing was saved. Doesn't use `instanceof`, because Jest has its own error classes. */
function failureReason(error: unknown, folder: string): string {
  const { code, syscall, message } = Object(error) as NodeJS.ErrnoException;
  if (syscall === "connect" || code === "ECONNRESET" || code === "ConnectionRefused") return "the sandbox has stopped";
  if (code !== undefined) return `${folder} can’t be written (${code})`;
  return (refusalMessage(error) ?? message).replace(/\.$/, "");
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
