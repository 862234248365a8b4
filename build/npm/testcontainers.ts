import { createRequire } from "node:module";
import path from "node:path";
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { PACKAGE } from "../../sandbox/contract/package-name.ts";
import { freshWorld, type LocalReadyLine, type World } from "./world.ts";

const PORT = 4026;
const READY_FILE = "/tmp/ready.json";
const MODULES = "/sandbox/node_modules";

/** The sandbox in a container. This package is copied into it, so the image needs only Node 22.19 or newer. */
export class SandboxContainer extends GenericContainer {
  constructor(image = "node:24-slim") {
    super(image);
    const require = createRequire(path.join(import.meta.dirname, "index.js"));
    const sqlite = path.dirname(require.resolve("better-sqlite3/package.json"));
    this.withCopyDirectoriesToContainer([
      { source: import.meta.dirname, target: `${MODULES}/${PACKAGE}` },
      { source: sqlite, target: `${MODULES}/better-sqlite3` },
    ]);
    const command = `${MODULES}/${PACKAGE}/sandbox/cli.js`;
    this.withCommand([
      "node",
      command,
      "--host",
      "0.0.0.0",
      "--port",
      `${PORT}`,
      "--memory",
      "--ready-file",
      READY_FILE,
    ])
      .withExposedPorts(PORT)
      .withWaitStrategy(Wait.forHttp("/__health", PORT));
  }

  /** Starts the container and waits until the sandbox responds. */
  override async start(): Promise<StartedSandboxContainer> {
    const container = await super.start();
    const { output } = await container.exec(["cat", READY_FILE]);
    return new StartedSandboxContainer(container, JSON.parse(output));
  }
}

/** A running container with a sandbox. `stop()` ends it. */
export class StartedSandboxContainer extends AbstractStartedContainer {
  /** The service's address on this machine, without a trailing slash. */
  readonly base_url: string;
  readonly control_token: string;
  readonly credentials: LocalReadyLine["credentials"];
  readonly clients: LocalReadyLine["clients"];

  constructor(container: StartedTestContainer, ready: LocalReadyLine) {
    super(container);
    this.base_url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`;
    this.control_token = ready.control_token;
    this.credentials = ready.credentials;
    this.clients = ready.clients;
  }

  /**
   * Returns a fresh world: a new one, or the named one after a reset. The service in a container can't reach a receiver
   * of the test.
   */
  world(name?: string): Promise<Omit<World, "receiver">> {
    return freshWorld(this, name);
  }
}
