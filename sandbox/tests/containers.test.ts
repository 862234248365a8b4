import {
  type ChildProcess,
  type ChildProcessByStdio,
  execFile,
  execFileSync,
  spawn,
  spawnSync,
} from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import yaml from "js-yaml";
import { GenericContainer, TestContainers } from "testcontainers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serveOptions } from "../command/options.ts";
import { findProgram } from "../testing/debian.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const SAMPLES = path.join(ROOT, "docs", "containers");
const read = (name: string): string => fs.readFileSync(path.join(SAMPLES, name), "utf8");
type Variables = Readonly<Record<string, string>>;

/** Environment of a sample: for the sandbox's container, and for the tested program. */
interface Sample {
  readonly sandbox: Variables;
  readonly app: Variables;
  readonly command: string;
}

const compose = (): Sample => {
  const { services } = yaml.load(read("compose.yaml")) as {
    services: Record<
      "sandbox" | "app",
      { environment: Variables; command: string; hostname?: string; depends_on?: object }
    >;
  };
  expect(services.app.hostname).toBe(services.sandbox.environment.SANDBOX_RECEIVER_HOST);
  expect(services.app.depends_on).toEqual({ sandbox: { condition: "service_healthy" } });
  const { sandbox, app } = services;
  return { sandbox: sandbox.environment, app: app.environment, command: app.command };
};

const github = (): Sample => {
  const { jobs } = yaml.load(read("github.yaml")) as {
    jobs: {
      webhooks: {
        services: { sandbox: { env: Variables; ports: string[]; options: string } };
        env: Variables;
        steps: { run?: string }[];
      };
    };
  };
  const { services, env, steps } = jobs.webhooks;
  expect(services.sandbox.ports).toEqual(["4026:4026"]);
  expect(services.sandbox.options).toBe(`--add-host ${services.sandbox.env.SANDBOX_RECEIVER_HOST}:host-gateway`);
  return { sandbox: services.sandbox.env, app: env, command: steps.at(-1)?.run ?? "" };
};

const gitlab = (): Sample => {
  const { webhooks } = yaml.load(read("gitlab.yaml")) as {
    webhooks: { services: [{ alias: string; variables: Variables }]; variables: Variables; script: string[] };
  };
  const [{ alias, variables }] = webhooks.services;
  expect(alias).toBe(variables.SANDBOX_ALLOW_HOST);
  return { sandbox: variables, app: webhooks.variables, command: webhooks.script.join("\n") };
};

const BESIDE = { compose, github, gitlab };

/** Environment a Testcontainers sample sets in the sandbox's container. */
const setBy = (name: string): Variables =>
  Object.fromEntries(
    [...read(name).matchAll(/(SANDBOX_\w+)"?[:,] "([^"]+)"/g)].map(([, variable, value]) => [variable, value]),
  );
const known = new Set(serveOptions.map(({ envVar }) => envVar));

describe("the samples for containers", () => {
  test.each(Object.entries(BESIDE))("%s sets existing variables", (_name, sample) => {
    const { sandbox, command } = sample();
    for (const name of Object.keys(sandbox)) expect(known).toContain(name);
    expect(command).toBe("node webhook-test.mjs");
  });

  test.each(["webhook.test.mjs", "WebhookTest.java", "WebhookTest.cs"])(
    "%s names the image's variable, port and health check",
    (name) => {
      const text = read(name);
      expect(setBy(name)).toEqual({ SANDBOX_RECEIVER_HOST: "host.testcontainers.internal" });
      expect(known).toContain("SANDBOX_RECEIVER_HOST");
      const image = fs.readFileSync(path.join(ROOT, "build/Dockerfile"), "utf8");
      const port = /^EXPOSE (\d+)$/m.exec(image)?.[1] ?? "";
      expect(text).toContain(`"/__health"`);
      expect(new Set(text.match(/\b4026\b/g))).toEqual(new Set([port]));
      expect(text).toContain("integrations-explorer-sandbox");
    },
  );

  test("webhook.test.mjs calls existing methods of Testcontainers", () => {
    const methods = [...read("webhook.test.mjs").matchAll(/^ {4}\.(with\w+|start)\(/gm)].map(
      ([, method = ""]) => method,
    );
    expect(methods.length).toBeGreaterThan(3);
    for (const method of methods) expect(GenericContainer.prototype).toHaveProperty(method);
    expect(TestContainers).toHaveProperty("exposeHostPorts");
  });
});

/** A container's own network and `/etc/hosts`. Ends with this process, even if that is killed. */
class Container {
  readonly #holder: ChildProcess;
  readonly through: readonly string[];

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
    this.through = ["nsenter", `--target=${holder.pid}`, "--net", "--mount"];
  }

  static async start(hosts: string): Promise<Container> {
    const script = 'mount --bind "$0" /etc/hosts && ip link set lo up && echo up && exec cat';
    const holder = spawn("unshare", ["--net", "--mount", "sh", "-c", script, hosts], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(createInterface({ input: holder.stdout }), "line");
    return new Container(holder);
  }

  get pid(): string {
    return `${this.#holder.pid}`;
  }

  /** Runs a program inside. @returns its output */
  async run(command: readonly string[], folder = "/", env: NodeJS.ProcessEnv = {}): Promise<string> {
    // Another mount namespace has another working folder.
    const [program = "", ...args] = [...this.through, "sh", "-c", 'cd "$0" && exec "$@"', folder, ...command];
    return (await promisify(execFile)(program, args, { env: { ...process.env, ...env } })).stdout;
  }

  end(): void {
    this.#holder.kill("SIGKILL");
  }
}

/** Reason why containers can't be created here; null if they can. */
const withoutNetworks = (): string | null => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root on Linux makes networks";
  if (findProgram("ip") === null) return "ip is not here";
  const { status } = spawnSync("unshare", ["--net", "--mount", "true"], { stdio: "ignore" });
  return status === 0 ? null : "this system lets nobody make networks";
};

/** Stands in for a published Docker port: forwards connections to the container with an unchanged `Host` header. */
const PUBLISHED = `require("node:net").createServer((from) => {
  const to = require("node:net").connect(4026, "10.66.0.1");
  from.pipe(to).pipe(from);
  from.on("error", () => to.destroy());
  to.on("error", () => from.destroy());
}).listen(4026, "127.0.0.1", () => console.log("published"));`;

/** Stands in for Testcontainers: the sandbox already runs and its port is published. */
const STARTED = {
  "node_modules/testcontainers/index.mjs": `
    const started = { getHost: () => "localhost", getMappedPort: (port) => port, stop: async () => {} };
    export class GenericContainer {
      withExposedPorts() { return this; }
      withEnvironment() { return this; }
      withWaitStrategy() { return this; }
      async start() { return started; }
    }
    export const TestContainers = { exposeHostPorts: async () => {} };
    export const Wait = { forHttp: () => null };`,
  "node_modules/testcontainers/package.json": '{ "exports": "./index.mjs" }',
  "org/testcontainers/Testcontainers.java": `package org.testcontainers;
    public class Testcontainers { public static void exposeHostPorts(int... ports) {} }`,
  "org/testcontainers/utility/DockerImageName.java": `package org.testcontainers.utility;
    public class DockerImageName { public static DockerImageName parse(String name) { return null; } }`,
  "org/testcontainers/containers/wait/strategy/Wait.java": `package org.testcontainers.containers.wait.strategy;
    public class Wait {
      public static Wait forHttp(String path) { return new Wait(); }
      public Wait forPort(int port) { return this; }
    }`,
  "org/testcontainers/containers/GenericContainer.java": `package org.testcontainers.containers;
    public class GenericContainer<S extends GenericContainer<S>> implements AutoCloseable {
      public GenericContainer(org.testcontainers.utility.DockerImageName name) {}
      public GenericContainer<S> withExposedPorts(Integer... ports) { return this; }
      public GenericContainer<S> withAccessToHost(boolean value) { return this; }
      public GenericContainer<S> withEnv(String name, String value) { return this; }
      public GenericContainer<S> waitingFor(org.testcontainers.containers.wait.strategy.Wait wait) { return this; }
      public void start() {}
      public String getHost() { return "localhost"; }
      public Integer getMappedPort(int port) { return port; }
      public void close() {}
    }`,
  "org/junit/jupiter/api/Test.java": "package org.junit.jupiter.api; public @interface Test {}",
  "org/junit/jupiter/api/Assertions.java": `package org.junit.jupiter.api;
    public class Assertions {
      public static void assertEquals(Object expected, Object actual, String... why) {
        if (!expected.equals(actual)) throw new AssertionError(expected + " is not " + actual + java.util.List.of(why));
      }
    }`,
  "Main.java":
    "public class Main { public static void main(String[] a) throws Exception { new WebhookTest().aWebhookArrives(); } }",
};

describe("a program and the sandbox in separate networks", () => {
  const reason = withoutNetworks();
  const folder = temporaryFolder();
  let sandbox: Container;
  let app: Container;
  let published: ChildProcessByStdio<null, Readable, null> | undefined;

  beforeAll(async () => {
    if (reason !== null) return;
    const hosts = path.join(folder, "hosts");
    const names = "app build host.docker.internal host.testcontainers.internal";
    fs.writeFileSync(hosts, `127.0.0.1 localhost\n10.66.0.1 sandbox\n10.66.0.2 ${names}\n`);
    sandbox = await Container.start(hosts);
    app = await Container.start(hosts);
    const cable = [
      "link",
      "add",
      "cable",
      "netns",
      sandbox.pid,
      "type",
      "veth",
      "peer",
      "name",
      "cable",
      "netns",
      app.pid,
    ];
    execFileSync("ip", cable);
    for (const [container, address] of [
      [sandbox, "10.66.0.1/24"],
      [app, "10.66.0.2/24"],
    ] as const) {
      await container.run(["ip", "addr", "add", address, "dev", "cable"]);
      await container.run(["ip", "link", "set", "cable", "up"]);
    }
    const [program = "", ...through] = app.through;
    published = spawn(program, [...through, process.execPath, "-e", PUBLISHED], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(createInterface({ input: published.stdout }), "line");
  });
  afterAll(() => {
    published?.kill("SIGKILL");
    for (const container of reason === null ? [sandbox, app] : []) container.end();
    fs.rmSync(folder, { recursive: true });
  });

  /** Starts the sandbox with the environment of its image and a sample. */
  const serve = async (variables: Variables): Promise<void> => {
    const image = fs.readFileSync(path.join(ROOT, "build/Dockerfile"), "utf8");
    const ofImage = Object.fromEntries(
      [...image.matchAll(/(SANDBOX_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const env = { ...ofImage, SANDBOX_DATA: temporaryFolder(), ...variables };
    const command = new CommandProcess(["--log", "silent"], env, undefined, sandbox.through);
    onTestFinished(async () => {
      await command.kill("SIGTERM");
      fs.rmSync(env.SANDBOX_DATA, { recursive: true });
    });
    await command.ready();
  };

  test.for(Object.entries(BESIDE))(
    "reach each other by the names in the sample for %s",
    async ([, sample], { skip }) => {
      skip(reason !== null, reason ?? "");
      const { sandbox: variables, app: env, command } = sample();
      await serve(variables);
      expect(await app.run(command.split(" ").with(0, process.execPath), SAMPLES, env)).toBe(
        "repairer.jobs inserted\n",
      );
    },
  );

  test.for([
    ["SANDBOX_ALLOW_HOST", "answered 421"],
    ["SANDBOX_RECEIVER_HOST", "url_not_loopback"],
  ] as const)("are refused without %s", async ([left, refusal], { skip }) => {
    skip(reason !== null, reason ?? "");
    const { sandbox: variables, app: env, command } = compose();
    await serve(Object.fromEntries(Object.entries(variables).filter(([name]) => name !== left)));
    const ended = app.run(command.split(" ").with(0, process.execPath), SAMPLES, env);
    await expect(ended).rejects.toMatchObject({ stderr: expect.stringContaining(refusal) });
  });

  const besideStandIns = (): string => {
    const project = temporaryFolder();
    fs.cpSync(SAMPLES, project, { recursive: true });
    for (const [file, text] of Object.entries(STARTED)) {
      fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      fs.writeFileSync(path.join(project, file), text);
    }
    onTestFinished(() => fs.rmSync(project, { recursive: true }));
    return project;
  };

  test("pass the sample for Testcontainers in Node", async ({ skip }) => {
    skip(reason !== null, reason ?? "");
    await serve(setBy("webhook.test.mjs"));
    const printed = await app.run([process.execPath, "--test", "webhook.test.mjs"], besideStandIns());
    expect(printed).toMatch(/^. pass 1$/m);
  });

  test("pass the sample for Testcontainers in Java", async ({ skip }) => {
    skip(reason !== null, reason ?? "");
    skip(findProgram("javac") === null, "a Java compiler is not here");
    const project = besideStandIns();
    const sources = fs.globSync("**/*.java", { cwd: project });
    await promisify(execFile)("javac", ["-d", "classes", ...sources], { cwd: project });
    await serve(setBy("WebhookTest.java"));
    await app.run(["java", "-cp", "classes", "Main"], project);
  }, 40_000);
});
