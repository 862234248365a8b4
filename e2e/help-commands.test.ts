import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorPages } from "../docs/site/error-pages.ts";
import { type Guide, guides, languages, writeBlock } from "../docs/site/guides/guides.ts";
import type { Language } from "../docs/site/guides/step.ts";
import { extensionPages, operationPages } from "../docs/site/operation-pages.ts";
import { sources } from "../docs/site/written-pages.ts";
import { worldsReset } from "../sandbox/contract/control/world-operations.ts";
import { startTestService, type TestService } from "../sandbox/testing/harness.ts";

const ROOT = path.join(import.meta.dirname, "..");
/** The Node that runs `npm test`, as a reader's own. */
const READERS_NODE = process.env.READERS_NODE ?? process.execPath;
const START = "sandbox --memory --ready-file ready.json";
const ADDRESS = "http://127.0.0.1:4026";

const GOES_ON = "runs: until ready";

interface Block {
  readonly mark: string;
  readonly language: string;
  readonly code: string;
}

const codeBlocks = (text: string): Block[] =>
  [...text.matchAll(/(?:<!-- (.*) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, mark = "", language = "", code = ""]) => ({ mark, language, code }),
  );

const scratch = mkdtempSync(path.join(tmpdir(), "help-commands-"));
// The command is installed as in a reader's clone, in a folder with a space in its name.
const home = path.join(scratch, "a reader");
const bin = path.join(home, "npm/bin");
beforeAll(async () => {
  mkdirSync(home);
  await promisify(execFile)(READERS_NODE, [path.join(ROOT, "build/install-command.mjs")], {
    env: { ...process.env, npm_config_prefix: path.join(home, "npm") },
  });
  // Stands for the installed package, whose Node requirement is higher. The package's own test installs it.
  const npx = path.join(bin, "npx");
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${path.join(ROOT, "out/sandbox/cli.js")}" "$@"\n`);
  chmodSync(npx, 0o755);
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

const freePort = async (): Promise<number> => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** A folder of a reader who follows a page, and the sandbox that the page starts. */
class Reader {
  readonly folder: string;
  #port: number;
  #service: TestService | undefined;
  readonly #children: ChildProcess[] = [];

  constructor(name: string, port: number) {
    this.folder = path.join(home, name);
    this.#port = port;
    mkdirSync(this.folder, { recursive: true });
  }

  has(...files: readonly string[]): void {
    for (const file of files) cpSync(path.join(ROOT, "docs", file), path.join(this.folder, path.basename(file)));
    cpSync(
      path.join(ROOT, "docs/scenarios/job-conflicts.json"),
      path.join(this.folder, "scenarios/job-conflicts.json"),
    );
  }

  saves(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
    writeFileSync(path.join(this.folder, file), text);
  }

  /** Starts what the command START starts, without its two programs, which use more CPU than most pages' commands. */
  async opens(): Promise<void> {
    this.#service = await startTestService(mkdtempSync(path.join(scratch, "service-")), { dataFolder: null });
    this.#port = this.#service.port;
    this.saves("ready.json", JSON.stringify(this.#service.ready));
  }

  /** Runs a persistent command until it prints its first line. */
  async starts(command: string): Promise<void> {
    const env = { ...this.#env, SANDBOX_PORT: String(this.#port), SANDBOX_BASE_URL: this.#here(ADDRESS) };
    const child = spawn("bash", ["-c", this.#here(command)], {
      cwd: this.folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    this.#children.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      expect(line).not.toBe("");
      return;
    }
    throw new Error(`${command} printed nothing`);
  }

  async runs(commands: readonly string[]): Promise<string> {
    const script = `set -euo pipefail\n${commands.join("\n")}`;
    const options = { cwd: this.folder, env: this.#env };
    return (await promisify(execFile)("bash", ["-c", this.#here(script)], options)).stdout;
  }

  async leaves(): Promise<void> {
    for (const { pid } of this.#children) if (pid !== undefined) process.kill(-pid, "SIGTERM");
    await this.#service?.end();
  }

  get #env(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("SANDBOX_"));
    const found = [bin, path.dirname(READERS_NODE), process.env.PATH].join(path.delimiter);
    return { ...Object.fromEntries(own), PATH: found };
  }

  /** Replaces the sandbox's port, which may be in use. */
  #here(text: string): string {
    return text
      .replaceAll(ADDRESS, `http://127.0.0.1:${this.#port}`)
      .replaceAll("https://api.example.com", ADDRESS.replace("4026", String(this.#port)));
  }
}

const NOT_RUN = [
  "not run: Claude Code's own command",
  "not run: Codex's own command",
  "not run: goes through the public address",
  "not run: the test of the npm package installs it",
  "not run: it gets a program from npm",
  "not run: the tests start it so",
  "not run: needs systemd and the rights of an administrator",
  "not run: the commands of each page run with what it installs",
  "not run: a test runs each program whose language is on the machine",
  "not run: containers cannot run everywhere; a test runs the programs with these variables",
  "not run: containers cannot run everywhere; a test carries out the steps of the Dockerfile",
];

/** The pages whose sandbox the command itself starts; the second reads files that it serves. */
const STARTING: readonly string[] = [sources.firstOrder.file, sources.receiver.file];

/** Follows a page. @returns the output of its commands */
const follow = async (file: string, have: readonly string[] = []): Promise<string> => {
  const blocks = codeBlocks(readFileSync(path.join(ROOT, file), "utf8"));
  const reader = new Reader(file.replaceAll(/\W/g, "-"), await freePort());
  reader.has(...have);
  try {
    if (!blocks.some(({ mark }) => mark === GOES_ON)) await reader.opens();
    let printed = "";
    let commands: string[] = [];
    for (const { mark, language, code } of blocks) {
      const saved = /^file: (.+)$/.exec(mark)?.[1];
      if (saved !== undefined) reader.saves(saved, code);
      else if (mark === GOES_ON) {
        printed += await reader.runs(commands);
        commands = [];
        if (code.trim() === START && !STARTING.includes(file)) await reader.opens();
        else await reader.starts(code);
      } else if (language === "sh" && mark === "") commands.push(code);
      else if (language === "sh") expect(NOT_RUN).toContain(mark);
    }
    return printed + (await reader.runs(commands));
  } finally {
    await reader.leaves();
  }
};

/** Where each language of the guides runs. */
const runtimes: Readonly<Record<string, { readonly program: string; readonly file: string }>> = {
  js: { program: READERS_NODE, file: "guide.mjs" },
  python: { program: "python3", file: "guide.py" },
  powershell: { program: "pwsh", file: "guide.ps1" },
};
const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** Follows a guide in a language. @returns the output */
const followIn = async ({ name, label, write }: Language, { file, blocks }: Guide): Promise<string> => {
  const { program, file: saved } = runtimes[name] ?? { program: "", file: "" };
  const reader = new Reader(`${file}-${label}`.replaceAll(/\W/g, "-"), await freePort());
  try {
    await reader.opens();
    reader.saves(saved, blocks.flat().map(write).join("\n"));
    return await reader.runs([`'${program}' ${saved}`]);
  } finally {
    await reader.leaves();
  }
};

/** The lines that each guide prints, and how often. */
const endings = new Map<string, readonly (readonly [line: RegExp, times: number])[]>([
  [
    sources.firstOrder.file,
    [
      [/^\{"ok": ?true\}$/gm, 2],
      [/^order_confirmed$/gm, 1],
      [/^repairer\.jobs inserted delivered$/gm, 1],
      [/ delivered$/gm, 5],
    ],
  ],
  [
    sources.install.file,
    [
      [/^\{"ok": ?true\}$/gm, 1],
      [/^Installed integration [0-9a-f-]{36}$/gm, 1],
      [/^repairer\.jobs inserted delivered$/gm, 1],
      [/ delivered$/gm, 1],
    ],
  ],
  [
    sources.faults.file,
    [
      [/^\{.*"status": ?503.*\}$/gm, 1],
      [/^\{.*"items": ?\[.*\}$/gm, 1],
      [/^\{.*"offset_seconds": ?900\.001.*\}$/gm, 1],
    ],
  ],
]);

// Each test mostly waits for another program or a notification, so they run concurrently.
describe.concurrent("the commands of the help", () => {
  for (const guide of guides)
    for (const language of languages)
      test(`complete ${guide.file} in ${language.label}`, async (context) => {
        const { program } = runtimes[language.name] ?? {};
        context.skip(program !== undefined && !isThere(program), `${language.label} is not on this machine`);
        // The page itself shows the first language.
        const printed = language === languages[0] ? await follow(guide.file) : await followIn(language, guide);
        for (const [line, times] of endings.get(guide.file) ?? [])
          expect(printed.match(line), `${line}`).toHaveLength(times);
      }, 60_000);

  test("are the declared blocks of each guide", () => {
    expect(guides.map(({ file }) => file)).toEqual([...endings.keys()]);
    for (const { file, blocks } of guides) {
      const shown = codeBlocks(readFileSync(path.join(ROOT, file), "utf8")).filter(({ mark }) => mark === "");
      expect([file, ...shown.map(({ code }) => code.trimEnd())]).toEqual([
        file,
        ...blocks.map((block) => writeBlock(languages[0], block)),
      ]);
    }
  });

  test("build a receiver in Node and one in Python that pass all drills", async () => {
    const printed = await follow(sources.receiver.file);
    expect(printed.match(/^(\d+) of \1 drills passed$/gm)).toHaveLength(2);
  }, 60_000);

  test("insert a job that may be inserted again", async () => {
    expect(await follow(sources.lists.file)).toMatch(/^\{"id":"[0-9a-f-]{36}"/);
  }, 60_000);

  test("save a partner's failure as one file", async () => {
    const printed = await follow(sources.reproduce.file);
    expect(printed).toContain("This is a buyer key; this operation needs a supplier key.");
    expect(printed).toMatch(/all 1 step passed/);
  }, 60_000);

  test("run in a CI job, the same in GitHub and GitLab", async () => {
    const { file } = sources.ci;
    const printed = await follow(file, [
      "write-a-receiver/receiver.mjs",
      "write-a-receiver/drills.mjs",
      "verify-a-webhook/verify-webhook.mjs",
    ]);
    expect(printed).toContain('{"items":[{"type":"repairer",');
    expect(printed).toMatch(/^(\d+) of \1 drills passed$/m);
    const blocks = codeBlocks(readFileSync(path.join(ROOT, file), "utf8"));
    const run = blocks.filter(({ language }) => language === "sh").flatMap(({ code }) => code.trim().split("\n"));
    for (const { code } of blocks.filter(({ language }) => language === "yaml")) {
      const commands = [...code.matchAll(/^\s*- (?:run: )?(np[mx] .*)$/gm)].map(([, command]) => command);
      expect(commands).toEqual([
        "npm ci",
        expect.stringContaining(" run scenarios "),
        expect.stringContaining(" exec "),
      ]);
      expect(run).toEqual(expect.arrayContaining(commands.slice(1)));
    }
  }, 60_000);

  test.each([
    [sources.authentication.file, []],
    [sources.clients.file, []],
    [sources.receive.file, []],
    [sources.explorer.file, []],
    [sources.assistants.file, []],
    [sources.deploy.file, []],
    [sources.share.file, []],
    [sources.backup.file, []],
    [sources.testValues.file, ["test-values/order-test.mjs", "test-values/order_test.py"]],
    [sources.languages.file, ["test-from-other-languages/order.py", "verify-a-webhook/verify_webhook.py"]],
    [sources.scenarios.file, ["scenarios/install-and-first-order.json", "scenarios/job-conflicts.json"]],
  ])(
    "run as printed for %s",
    async (file, have) => {
      await follow(file, have);
    },
    60_000,
  );

  test("run for every page with commands", () => {
    // The cluster page needs a database: sandbox/cluster tests it.
    const {
      home,
      containers,
      concepts,
      verify,
      troubleshooting,
      versions,
      changelog,
      start,
      package: ofPackage,
      cluster: _needsDatabase,
      ...followed
    } = sources;
    for (const { file } of [home, containers, concepts, verify, troubleshooting, versions, changelog])
      expect(
        codeBlocks(readFileSync(path.join(ROOT, file), "utf8")).filter(({ language }) => language === "sh"),
      ).toEqual([]);
    // The other pages start with its last command, too.
    expect(codeBlocks(readFileSync(path.join(ROOT, start.file), "utf8")).map(({ code }) => code)).toEqual([
      "npm start\n",
      "npm run --silent sandbox:install\n",
      `${START}\n`,
    ]);
    // The package's README is tested with the package.
    expect(ofPackage.file).toBe("build/npm/README.md");
    expect(Object.keys(followed).toSorted()).toEqual(
      [
        "firstOrder",
        "authentication",
        "lists",
        "clients",
        "receiver",
        "install",
        "reproduce",
        "ci",
        "receive",
        "explorer",
        "assistants",
        "deploy",
        "share",
        "backup",
        "faults",
        "scenarios",
        "testValues",
        "languages",
      ].toSorted(),
    );
  });
});

describe("the calls of the reference", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.end());

  /** The last response of a block: JSON, or the text of a consent page. */
  const lastResponse = (text: string): unknown => {
    const page = text.lastIndexOf("<!doctype html>");
    const [last = ""] = text.split(/(?<=[}\]])(?=[{["])/).slice(-1);
    return page < 0 ? JSON.parse(last) : text.slice(page);
  };

  const isShell = ({ language }: Block): boolean => language === "sh";
  /** The calls before the last prepare the world; the last one is refused. */
  const changesWorlds = ({ code }: Block): boolean => code.split("curl ").length > 2;

  /** Runs blocks in one shell, which costs less than one each, in new worlds. @returns the responses */
  const answersTo = async (blocks: readonly Block[]): Promise<unknown[]> => {
    const cwd = path.join(scratch, "reference");
    mkdirSync(cwd, { recursive: true });
    writeFileSync(path.join(cwd, "ready.json"), JSON.stringify(service.ready));
    for (const world of ["default", "elsewhere"]) await service.control(worldsReset, { world, checkpoint: false });
    const script = blocks.map(({ code }) => `(\n${code})\nprintf '\\0'\n`).join("");
    const { stdout } = await promisify(execFile)("bash", ["-c", script.replaceAll(ADDRESS, service.baseUrl)], { cwd });
    return stdout.split("\0").slice(0, -1).map(lastResponse);
  };

  test("succeed on the page of each operation", async () => {
    for (const page of [...operationPages, ...extensionPages]) {
      const answers = await answersTo(codeBlocks(page.body).filter(isShell));
      const refused = page.title === "integrations.insert" ? { type: "invalid_access_code" } : {};
      expect([page.title, answers]).toEqual([page.title, [expect.objectContaining(refused)]]);
      if (!("type" in refused)) expect(answers[0], page.title).not.toHaveProperty("type");
    }
  }, 60_000);

  test("fail with the page's code on the page of each error", async () => {
    const refusals = errorPages.flatMap(({ title, body }) =>
      codeBlocks(body)
        .filter(isShell)
        .map((block) => ({ title, block })),
    );
    // A refused call leaves the worlds as new.
    const unprepared = refusals.filter(({ block }) => !changesWorlds(block));
    const prepared = refusals.filter(({ block }) => changesWorlds(block));
    for (const together of [unprepared, ...prepared.map((one) => [one])]) {
      const answers = await answersTo(together.map(({ block }) => block));
      expect(answers).toHaveLength(together.length);
      for (const [index, { title }] of together.entries()) {
        const answer = answers[index];
        if (String(answer).startsWith("<!doctype")) {
          expect(answer).toContain("Can’t continue this install");
          continue;
        }
        const { type, reason } = Object(answer) as { type?: string; reason?: string };
        expect([title, type ?? reason ?? answer]).toEqual([title, title]);
      }
    }
  }, 120_000);
});
