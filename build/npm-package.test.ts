import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PACKAGE } from "../sandbox/contract/package-name.ts";
import { containedPackages } from "./lib/licences.mjs";
import { isAlive } from "./lib/lock.mjs";
import { ROOT } from "./lib/project.mjs";
import { ensureChromium, findShell } from "./lib/test-programs.mjs";

const NAME = PACKAGE;
const MAX_PACKED_BYTES = 6 * 1024 ** 2;

/** The packed package, installed in an otherwise empty folder. */
const scratch = mkdtempSync(path.join(tmpdir(), "npm-package-"));
const made = path.join(scratch, "made");
const work = path.join(scratch, "work");
const installed = path.join(work, "node_modules", NAME);
let tarball = "";

// Removes settings of the user's sandbox and of this test run.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(SANDBOX_|VITEST|NODE_ENV)/.test(name)),
);
const execOptions = { cwd: work, env };
const inShell = (command: string) => promisify(execFile)("bash", ["-c", command], execOptions);
const onNode = (...args: string[]) => promisify(execFile)(process.execPath, args, execOptions);

interface Snippet {
  readonly mark: string;
  readonly code: string;
}

const README = readFileSync("build/npm/README.md", "utf8");
const snippets: readonly Snippet[] = [...README.matchAll(/(?:<!-- (.*) -->\n)?```\w+\n([\s\S]*?)```/g)].map(
  ([, mark = "", code = ""]) => ({ mark, code }),
);
const marked = (mark: string): string => snippets.find((snippet) => snippet.mark === mark)?.code ?? "";

const write = (file: string, content: string): string => {
  writeFileSync(path.join(work, file), content);
  return file;
};

/** Links a tool that the folder's owner would install. */
const lend = (name: string): void => {
  const link = path.join(work, "node_modules", name);
  mkdirSync(path.dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(path.join(ROOT, "node_modules", name), link, "junction");
};

beforeAll(async () => {
  mkdirSync(work);
  await promisify(execFile)(process.execPath, ["build/lib/npm-package.mjs", made]);
  const packed = await promisify(execFile)("npm", ["pack", made, "--silent", "--pack-destination", scratch]);
  tarball = path.join(scratch, packed.stdout.trim());
  write("package.json", "{}");
  await inShell(`npm install --silent --no-audit --no-fund --prefer-offline ${tarball}`);
}, 120_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

describe("the package", () => {
  test("has what it needs to run, and no sources, tests, maps or desktop app", () => {
    const files = globSync("**/*", { cwd: installed, exclude: ["node_modules/**"] });
    expect(files).toContain(path.join("renderer", "index.html"));
    expect(files).toContain(path.join("help", "index.html"));
    // The help contains verification functions for download, one of them in TypeScript.
    const programs = files.filter((file) => !file.startsWith("help"));
    const others = programs.filter((file) => /\.map$|(?<!\.d)\.tsx?$|\.test\.|electron|[\\/]src[\\/]/.test(file));
    expect(others).toEqual([]);
    expect(
      globSync("sandbox/*.js", { cwd: installed }).filter((file) =>
        readFileSync(path.join(installed, file), "utf8").includes("sourceMappingURL"),
      ),
    ).toEqual([]);
    expect(statSync(tarball).size).toBeLessThan(MAX_PACKED_BYTES);
  });

  test("names its source and how to report a vulnerability", () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
    const { homepage, repository, bugs } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(manifest).toMatchObject({
      homepage,
      repository,
      bugs,
      publishConfig: { access: "public", provenance: true },
    });
    const address = homepage.replace("#readme", "");
    expect([repository.url, bugs]).toEqual([`git+${address}.git`, `${address}/issues`]);
    const security = readFileSync(path.join(installed, "SECURITY.md"), "utf8");
    for (const heading of ["Report a vulnerability", "Supported versions", "What the sandbox promises"])
      expect(security).toContain(`## ${heading}\n`);
    // The package contains no pages for relative links.
    expect(security).not.toMatch(/\]\(/);
  });

  test("installs only better-sqlite3 and its dependency", () => {
    const lock = JSON.parse(readFileSync(path.join(work, "node_modules/.package-lock.json"), "utf8"));
    const names = Object.keys(lock.packages).map((key) => key.replace("node_modules/", ""));
    expect(names.toSorted()).toEqual(["better-sqlite3", NAME, "node-addon-api"].toSorted());
  });

  test("contains the licence of each bundled package", () => {
    const notices = readFileSync(path.join(installed, "THIRD-PARTY-LICENCES.txt"), "utf8");
    const contained = containedPackages(ROOT);
    expect(contained.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["fastify", "undici", "react-dom", "@mantine/core"]),
    );
    for (const { name, version } of contained) expect(notices).toContain(`${name} ${version} (`);
  });
});

describe("the package's README", () => {
  test("marks how each snippet is tested", () => {
    expect(snippets.filter(({ mark }) => mark === "")).toEqual([]);
    expect(marked("installs").trim()).toBe(`npm install --save-dev ${NAME}`);
  });

  test("starts a service that answers within two seconds", async () => {
    const took: number[] = [];
    let limit = 0;
    // Other load slows each start; npx, which does next to nothing, measures how much.
    while (took.length < 3 && !(Math.min(...took) < limit)) {
      const began = performance.now();
      await inShell("npx --version");
      limit = Math.max(2_000, limit, 5 * (performance.now() - began));
      took.push(await startAndStop(marked("runs: until ready")));
    }
    expect(Math.min(...took)).toBeLessThan(limit);
  }, 60_000);
});

// Each test mostly waits for another program, so they run concurrently.
describe.concurrent("the package's README", () => {
  test("shows the order flow for each test runner in at most 18 lines", () => {
    const lines = ["vitest", "jest", "node", "playwright"].map(
      (runner) => marked(`runs: ${runner}`).trimEnd().split("\n").length,
    );
    expect(Math.max(...lines)).toBeLessThanOrEqual(18);
  });

  test("has commands that run", async () => {
    write("scenario.json", marked("file: scenario.json"));
    const printed: string[] = [];
    for (const { mark, code } of snippets) if (mark === "runs") printed.push((await inShell(code)).stdout);
    expect(printed).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/),
      expect.stringContaining("A buyer sees its businesses: all 1 step passed."),
    ]);
  }, 60_000);

  test("has tests that pass in node:test", async () => {
    const { stdout } = await onNode("--test", "--test-reporter=tap", write("node.test.mjs", marked("runs: node")));
    expect(stdout).toContain("# pass 1");
  }, 60_000);

  test("has tests that pass in Vitest", async () => {
    lend("vitest");
    const { stdout } = await onNode(
      "node_modules/vitest/vitest.mjs",
      "run",
      // Each test starts a sandbox, which can exceed the default of five seconds on a busy machine.
      "--testTimeout=30000",
      write("vitest.test.ts", marked("runs: vitest")),
      write("faults.test.ts", marked("runs: vitest faults")),
    );
    expect(stdout).toContain("2 passed");
  }, 60_000);

  test("has Jest-style tests that pass", async () => {
    const preload = write("globals.mjs", `import { test } from "node:test";\nObject.assign(globalThis, { test });`);
    const { stdout } = await onNode(
      "--import",
      `./${preload}`,
      "--test-reporter=tap",
      write("jest.test.cjs", marked("runs: jest")),
    );
    expect(stdout).toContain("# pass 1");
  }, 60_000);

  test("has tests that pass in Playwright", async () => {
    for (const name of ["@playwright/test", "playwright", "playwright-core"]) lend(name);
    const executablePath = process.env.INTEGRATIONS_EXPLORER_CHROMIUM ?? findShell() ?? (await ensureChromium());
    const launchOptions = { executablePath, args: ["--no-sandbox", "--disable-gpu"] };
    write(
      "playwright.config.mjs",
      `export default { testMatch: "*.spec.ts", use: ${JSON.stringify({ launchOptions })} };`,
    );
    write("playwright.spec.ts", marked("runs: playwright"));
    const { stdout } = await onNode("node_modules/@playwright/test/cli.js", "test", "--reporter=line").catch(
      (error) => error,
    );
    expect(stdout).toContain("1 passed");
  }, 60_000);

  test("has a container that starts the files copied into it", async () => {
    lend("testcontainers");
    // Runs the container's command outside, where containers cannot run.
    const program = write(
      "container.mjs",
      `import { SandboxContainer } from "${NAME}/testcontainers";
const { directoriesToCopy, createOpts } = new SandboxContainer();
console.log(JSON.stringify({ directoriesToCopy, command: createOpts.Cmd }));`,
    );
    const told: { directoriesToCopy: { source: string; target: string }[]; command: string[] } = JSON.parse(
      (await onNode(program)).stdout,
    );
    const root = path.join(scratch, "container");
    for (const { source, target } of told.directoriesToCopy)
      cpSync(source, path.join(root, target), { recursive: true });
    mkdirSync(path.join(root, "tmp"));
    const inside = (text: string): string => text.replace(/^[/](sandbox|tmp)[/]/, `${root}/$1/`).replace(/^4026$/, "0");
    const [, ...args] = told.command.map(inside);
    const child = spawn(process.execPath, args, { ...execOptions, stdio: ["ignore", "pipe", "ignore"] });
    const { base_url } = JSON.parse(await firstLine(child));
    expect((await fetch(`${base_url}/__health`)).status).toBe(200);
    expect(JSON.parse(readFileSync(path.join(root, "tmp/ready.json"), "utf8"))).toMatchObject({ base_url });
    child.kill();
  });

  test("has a container that starts, or reports that no container runtime exists", async () => {
    lend("testcontainers");
    const program = write("snippet.mjs", marked("runs: testcontainers"));
    const { stdout, stderr } = await onNode(program).catch((error) => error);
    expect(`${stdout}${stderr}`).toMatch(/^4 businesses$|Could not find a working container runtime/m);
  }, 300_000);

  test("has snippets that match the package's types", async () => {
    for (const name of ["vitest", "@playwright/test", "@types/node", "testcontainers"]) lend(name);
    const types = marked("types");
    for (const file of ["types.mts", "types.cts"]) write(file, types);
    write("vitest.mts", marked("runs: vitest"));
    write("node.mts", marked("runs: node"));
    write(
      "calls.mts",
      `import type { World } from "${NAME}";
export const misuse = async (world: World): Promise<void> => {
  // @ts-expect-error: no operation has this name
  await world.call("repairer", "repairer.jobs.get-all", {});
  // @ts-expect-error: the identity is missing
  await world.call("repairer", "repairer.jobs.get", {});
  const { payload } = await (await world.receiver("supplier")).next({ event_type: "supplier.procurements" });
  // @ts-expect-error: only a job's event has this field
  payload.change_action;
};
`,
    );
    write("playwright.mts", marked("runs: playwright"));
    write("testcontainers.mts", marked("runs: testcontainers"));
    write(
      "required.cts",
      `import { test } from "${NAME}/playwright";\nexport const isTest: boolean = test instanceof Function;\n`,
    );
    const options = { module: "nodenext", strict: true, noEmit: true, types: ["node"], skipLibCheck: false };
    write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["*.mts", "*.cts"] }));
    const outcome = await onNode(path.join(ROOT, "node_modules/typescript/bin/tsc"), "--project", ".").catch(
      ({ stdout }) => ({ stdout }),
    );
    expect(outcome.stdout).toBe("");
  }, 60_000);
});

test.concurrent("the Dockerfile builds a folder in which the service starts, is healthy and stops", async () => {
  const root = path.join(scratch, "image");
  const workdir = path.join(root, "sandbox");
  cpSync(made, workdir, { recursive: true });
  const steps = readFileSync("build/Dockerfile", "utf8").replaceAll("\\\n", "").split("\n");
  const all = (name: string) =>
    steps.filter((step) => step.startsWith(`${name} `)).map((step) => step.slice(name.length + 1));
  // Images cannot be downloaded everywhere, so the image's build steps run here with this folder as the root.
  const inside = (text: string): string =>
    text.replace(/(?<=^|[\s=])[/](?=data)/g, `${root}/`).replace(/--mount=\S+/, "");
  for (const step of all("RUN")) await promisify(execFile)("bash", ["-c", inside(step)], { cwd: workdir, env });
  const settings = Object.fromEntries(
    inside(all("ENV").join(" "))
      .split(" ")
      .map((pair) => pair.split("=")),
  );
  const [program = "", ...args]: string[] = JSON.parse(all("ENTRYPOINT")[0] ?? "");
  expect(program).toBe("node");
  const options = { cwd: workdir, env: { ...env, ...settings, SANDBOX_PORT: "0" } };
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  const { port } = new URL(JSON.parse(await firstLine(child)).base_url);
  const [shell = "", ...check]: string[] = JSON.parse(/CMD (.*)/.exec(all("HEALTHCHECK")[0] ?? "")?.[1] ?? "");
  expect([shell, settings.SANDBOX_PORT]).toEqual(["bash", all("EXPOSE")[0]]);
  const isHealthy = () =>
    promisify(execFile)(shell, check, { env: { ...env, SANDBOX_PORT: port } }).then(
      () => true,
      () => false,
    );
  expect(await isHealthy()).toBe(true);
  expect(existsSync(path.join(root, "data/service.json"))).toBe(true);
  expect(globSync("node_modules/better-sqlite3/prebuilds/*", { cwd: workdir }).length).toBe(2);
  child.kill("SIGTERM");
  const [status] = await once(child, "exit");
  expect(status).toBe(0);
  expect(await isHealthy()).toBe(false);
  // Only 200 counts as ready.
  const other = createServer((_request, response) => void response.writeHead(503).end()).listen(
    Number(port),
    "127.0.0.1",
  );
  await once(other, "listening");
  expect(await isHealthy()).toBe(false);
  other.close();
}, 60_000);

test("the image uses the project's Node version", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const bases = [...readFileSync("build/Dockerfile", "utf8").matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(
    ([, base]) => base,
  );
  expect(bases).toEqual([`node:${devDependencies.node}-slim`, `node:${devDependencies.node}-slim`]);
});

test.concurrent("the command and startSandbox reject an old Node in one sentence", async () => {
  const old = write(
    "old.mjs",
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });',
  );
  const sentence =
    "The sandbox needs Node 22.19 or newer, and this is Node 20.19.0: install a newer one from https://nodejs.org and run the command again.";
  const asOld = ["--import", path.join(work, old)];
  const command = await onNode(...asOld, path.join(installed, "sandbox/cli.js")).catch((error: unknown) => error);
  expect(command).toMatchObject({ code: 1, stdout: "", stderr: `${sentence}\n` });
  const options = `--import=${path.join(work, old)}`;
  const program = write(
    "start.mjs",
    `process.env.NODE_OPTIONS = ${JSON.stringify(options)};
const { startSandbox } = await import("${NAME}");
await startSandbox().catch((error) => console.log(error.message));`,
  );
  expect((await onNode(program)).stdout).toBe(`${sentence}\n`);
});

test("a script continues after it stops its sandbox", async () => {
  const program = write(
    "stopping.mjs",
    `const { startSandbox } = await import("${NAME}");
await (await startSandbox()).stop();
console.log("stopped");`,
  );
  expect((await onNode(program)).stdout).toBe("stopped\n");
});

test.concurrent("a receiver verifies notifications, and a mismatch names what arrived instead", async () => {
  const program = write(
    "receiver.mjs",
    `import { createHmac } from "node:crypto";
import { startSandbox } from "${NAME}";
const sandbox = await startSandbox();
const world = await sandbox.world();
const receiver = await world.receiver("repairer");
const { integration_id } = sandbox.credentials.repairer;
const body = JSON.stringify({ integration_id, webhook_timestamp: "2020-01-01T00:00:00Z" });
const send = async (signature) => {
  const response = await fetch(receiver.url, { method: "POST", body, headers: { "service-hmac-sha256": signature } });
  return [response.status, await receiver.next().catch((error) => error.message)];
};
const signature = createHmac("sha256", sandbox.webhook_secrets.repairer).update(body).digest("base64");
const refused = [await send("forged"), await send(signature)];
const sites = await world.call("repairer", "businesses.list", {});
const job = { identity: { external: "J-1" }, repairer_site_id: sites.items[1].id };
const inserted = await world.call("repairer", "repairer.jobs.insert", job);
const late = await receiver.next({ event_type: "repairer.procurements", payload: { status: "order_confirmed" }, timeout_ms: 1_000 }).catch((error) => error.message);
const found = await receiver.next({ event_type: "repairer.jobs" });
const again = await receiver.next({ timeout_ms: 0 }).catch((error) => error.message);
const wrong = await world.call("supplier", "repairer.jobs.get", { identity: { external: "J-1" } }).catch((error) => error);
console.log(JSON.stringify({ refused, inserted, late, found, again, wrong: { ...wrong }, message: wrong.message }));
// Stops nothing: neither the receiver nor the sandbox keeps the process alive.`,
  );
  const said = JSON.parse((await onNode(program)).stdout);
  const { id } = said.inserted;
  const payload = { job_id: id, change_action: "inserted" };
  expect(said.refused).toEqual([
    [401, "A notification failed the verification: bad_signature."],
    [401, "A notification failed the verification: stale_timestamp."],
  ]);
  expect(said.late).toBe(
    `No repairer.procurements {"status":"order_confirmed"} arrived within 1000 ms. Arrived instead: repairer.jobs ${JSON.stringify(payload)}.`,
  );
  expect(said.found).toMatchObject({ event_type: "repairer.jobs", payload });
  expect(said.again).toBe("No notification arrived within 0 ms. Nothing else arrived.");
  expect(said.wrong).toMatchObject({ status: 403, body: { type: "forbidden" } });
  expect(said.message).toMatch(/^repairer\.jobs\.get was refused with 403: \{"type":"forbidden"/);
});

test.concurrent("the sandbox ends when its test runner is killed", async () => {
  const program = write(
    "killed.mjs",
    `const { startSandbox } = await import("${NAME}");
const { pid, base_url } = await startSandbox();
console.log(JSON.stringify({ pid, base_url }));
setInterval(() => {}, 1_000);`,
  );
  const runner = spawn(process.execPath, [program], { ...execOptions, stdio: ["ignore", "pipe", "inherit"] });
  const { pid, base_url } = JSON.parse(await firstLine(runner));
  expect((await fetch(`${base_url}/__health`)).status).toBe(200);
  runner.kill("SIGKILL");
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
});

/** Runs a command until its service is ready. @returns the time in milliseconds */
async function startAndStop(command: string): Promise<number> {
  const began = performance.now();
  const settings = { ...env, SANDBOX_PORT: "0", SANDBOX_DATA: path.join(scratch, "data") };
  // A process group, because npx starts the command through a shell.
  const child = spawn("bash", ["-c", command], {
    cwd: work,
    env: settings,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const { base_url, pid } = JSON.parse(await firstLine(child));
  const { status } = await fetch(`${base_url}/__health`);
  const took = performance.now() - began;
  expect(status).toBe(200);
  process.kill(-Number(child.pid), "SIGTERM");
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  return took;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) return "";
  for await (const line of createInterface({ input: stdout })) return line;
  return "";
}
