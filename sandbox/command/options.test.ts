import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { defaultDataFolder } from "../host/data-folder.ts";
import { readOptions } from "./options.ts";

const folders = { explorerFolder: "/built/explorer", mediaFolder: "/built/media" };
let said = "";
beforeEach(() => {
  said = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      said += String(text);
      return true;
    });
  }
  for (const name of Object.keys(process.env)) if (name.startsWith("SANDBOX_")) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

/** Parses a command line with environment variables. */
const read = (argv: readonly string[] = [], variables: Record<string, string> = {}) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return readOptions(argv, { ...process.env, ...variables }, folders);
};
const configOf = (...argv: string[]) => read(argv).config;

describe("the command's options", () => {
  it("default to local mode on port 4026 with everything stored", () => {
    expect(read()).toEqual({
      config: {
        host: "127.0.0.1",
        port: 4026,
        whenPortTaken: "fail",
        dataFolder: expect.stringMatching(/[iI]ntegrations.?[eE]xplorer/),
        mode: "local",
        publicUrl: null,
        credentials: null,
        deliveries: true,
        mcp: true,
        metrics: false,
        idleResetMinutes: 60,
        quotas: {
          worlds: 10_000,
          subscriptions: 32,
          worldSubscriptions: 1_000,
          accessCodes: 100,
          uploadMebibytes: 256,
          snapshots: 20,
          snapshotMebibytes: 1_024,
          retentionMebibytes: 65_536,
          streams: 20,
        },
        log: "pretty",
        ...folders,
      },
      readyFile: null,
      join: false,
      greet: false,
    });
  });

  it("contain whether the port was given, which overrides a stored one", () => {
    expect(configOf("--port", "0").isPortGiven).toBe(true);
    expect(read([], { SANDBOX_PORT: "0" }).config.isPortGiven).toBe(true);
  });

  it("D85, D86: include limits, as whole numbers of at least one", () => {
    const names = [
      ...["worlds", "subscriptions", "world-subscriptions", "access-codes", "uploads"],
      ...["snapshots", "snapshot-size", "retention", "live-feeds"],
    ].map((one) => `--max-${one}`);
    expect(configOf(...names.flatMap((name, index) => [name, String(index + 1)])).quotas).toEqual({
      ...{ worlds: 1, subscriptions: 2, worldSubscriptions: 3, accessCodes: 4, uploadMebibytes: 5 },
      ...{ snapshots: 6, snapshotMebibytes: 7, retentionMebibytes: 8, streams: 9 },
    });
    for (const name of names)
      for (const value of ["0", "1.5", "-1", "many"]) expect(() => read([name, value]), name).toThrow();
  });

  it("are each read", () => {
    expect(
      read([
        "--port",
        "0",
        "--host",
        "::1",
        "--data",
        "worlds",
        "--deliveries",
        "off",
        "--idle-reset",
        "0.5",
        "--ready-file",
        "ready.json",
        "--log",
        "json",
        "--any-port",
        "--join",
        "--greet",
      ]),
    ).toMatchObject({
      config: {
        port: 0,
        host: "::1",
        dataFolder: "worlds",
        deliveries: false,
        idleResetMinutes: 0.5,
        log: "json",
        whenPortTaken: "any",
      },
      readyFile: path.resolve("ready.json"),
      join: true,
      greet: true,
    });
    expect(configOf("--port=65535")).toMatchObject({ port: 65_535 });
    expect(configOf("--memory")).toMatchObject({ dataFolder: null });
    expect(configOf("--mode", "deployed", "--public-url", "https://sandbox.example.com/")).toMatchObject({
      mode: "deployed",
      publicUrl: "https://sandbox.example.com",
    });
  });

  it("allow assistants, except on a deployed service, unless set", () => {
    const deployed = ["--mode", "deployed", "--public-url", "https://sandbox.example.com"];
    expect(configOf("--mcp", "off").mcp).toBe(false);
    expect(configOf(...deployed).mcp).toBe(false);
    expect(configOf(...deployed, "--mcp", "on").mcp).toBe(true);
    expect(read(deployed, { SANDBOX_MCP: "on" }).config.mcp).toBe(true);
    expect(() => configOf("--mcp", "maybe")).toThrow();
  });

  it("enable metrics when deployed or set, and rate limit and trusted proxies only when set", () => {
    const deployed = ["--mode", "deployed", "--public-url", "https://sandbox.example.com"];
    expect([configOf().metrics, configOf("--metrics", "on").metrics, configOf(...deployed).metrics]).toEqual([
      false,
      true,
      true,
    ]);
    expect(configOf(...deployed)).not.toHaveProperty("callsPerMinute");
    expect(configOf("--rate-limit", "600", "--trusted-proxy", "10.0.0.0/8,127.0.0.1")).toMatchObject({
      callsPerMinute: 600,
      trustedProxies: ["10.0.0.0/8", "127.0.0.1"],
    });
    for (const wrong of [
      ["--rate-limit", "0"],
      ["--trusted-proxy", "everyone"],
    ])
      expect(() => configOf(...wrong)).toThrow();
  });

  it("can each be set by an environment variable", () => {
    const variables = {
      SANDBOX_PORT: "8080",
      SANDBOX_HOST: "0.0.0.0",
      SANDBOX_DATA: "/data",
      SANDBOX_DELIVERIES: "off",
      SANDBOX_IDLE_RESET: "5",
      SANDBOX_READY_FILE: "/ready.json",
      SANDBOX_LOG: "silent",
      SANDBOX_MODE: "deployed",
      SANDBOX_PUBLIC_URL: "https://sandbox.example.com",
    };
    expect(read([], variables)).toMatchObject({
      config: {
        port: 8080,
        host: "0.0.0.0",
        dataFolder: "/data",
        deliveries: false,
        idleResetMinutes: 5,
        log: "silent",
        mode: "deployed",
        publicUrl: "https://sandbox.example.com",
      },
      readyFile: path.resolve("/ready.json"),
    });
    expect(read([], { SANDBOX_DATA: "/other" }).config.port).toBe(8080);
  });

  it("on the command line override the environment", () => {
    expect(
      read(["--port", "0", "--log", "json"], { SANDBOX_PORT: "8080", SANDBOX_LOG: "silent", SANDBOX_HOST: "::1" })
        .config,
    ).toMatchObject({ port: 0, log: "json", host: "::1" });
  });

  it("read only the environment that is passed in", () => {
    vi.stubEnv("SANDBOX_PORT", "9090");
    expect(readOptions([], process.env, folders).config.port).toBe(9090);
    expect(readOptions([], {}, folders).config.port).toBe(4026);
  });

  it("treat a false variable as not set", () => {
    for (const yes of ["1", "true"]) expect(read([], { SANDBOX_MEMORY: yes }).config.dataFolder, yes).toBeNull();
    for (const no of ["0", "false", ""]) expect(read([], { SANDBOX_MEMORY: no }).config.dataFolder, no).not.toBeNull();
  });
});

describe("a bad option", () => {
  it("is refused with a sentence that names it", () => {
    const bad: [option: string, ...values: string[]][] = [
      ["--port", "-1", "65536", "80.5", "1e3", "http", "", " 80", "0x50", "99999999999999999999"],
      ["--deliveries", "yes", "ON", ""],
      ["--idle-reset", "0", "-5", "soon", "", "Infinity", "NaN", "525601"],
      ["--log", "loud", ""],
      ["--mode", "remote"],
      [
        "--public-url",
        "http://sandbox.example.com",
        "sandbox.example.com",
        "https://sandbox.example.com/path",
        "https://u@sandbox.example.com",
        "",
      ],
    ];
    for (const [option, ...values] of bad) {
      for (const value of values) {
        said = "";
        expect(() => configOf(`${option}=${value}`), `${option}=${value}`).toThrow();
        expect(said, `${option}=${value}`).toContain(option);
      }
    }
  });

  it("is refused in the environment as on the command line", () => {
    expect(() => read([], { SANDBOX_PORT: "http" })).toThrow();
    expect(said).toContain("SANDBOX_PORT");
  });

  it("such as a malformed database address is refused without quoting its password", () => {
    const urls = ["postgres:/me:s3cret@db/box", "postgres://me:s3/cret@db/box", "postgres://me:s3@cret/s3@db/box"];
    for (const url of urls) {
      said = "";
      expect(() => read([], { SANDBOX_CLUSTER: url }), url).toThrow();
      expect(said).toContain("SANDBOX_CLUSTER");
      expect(said).toContain("write %2F for /");
      expect(said, url).not.toMatch(/s3|cret/);
    }
    for (const url of ["postgres://me:s3%2F@db/box", "postgresql://db:1/box?sslmode=verify-full"])
      expect(read([], { SANDBOX_CLUSTER: url }).config.cluster).toBe(url);
  });

  it("may be unknown, without a value, or an extra argument", () => {
    for (const argv of [["--prot", "80"], ["--port"], ["extra"], ["--memory", "extra"]])
      expect(() => configOf(...argv), argv.join(" ")).toThrow();
    expect(() => configOf("--prot", "80")).toThrow();
    expect(said).toContain("--port");
  });

  it("may be a data folder together with --memory", () => {
    expect(() => configOf("--data", "x", "--memory")).toThrow();
    expect(said).toMatch(/--data.+--memory|--memory.+--data/);
  });

  it("may be an empty folder, file or address", () => {
    for (const option of ["--data", "--ready-file", "--host"]) expect(() => configOf(option, ""), option).toThrow();
  });
});

describe("help and version", () => {
  it("are printed with exit status 0", () => {
    expect(() => configOf("--help")).toThrow(expect.objectContaining({ exitCode: 0 }));
    expect(said).toMatch(/--port.*SANDBOX_PORT/s);
    expect(said.split("\n").filter((line) => line.length > 80 && !line.includes(" $ "))).toEqual([]);
    said = "";
    expect(() => configOf("--version")).toThrow(expect.objectContaining({ exitCode: 0 }));
    expect(said).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("the default data folder", () => {
  it("is the platform's folder for application data", () => {
    expect(defaultDataFolder("linux", {}, "/home/ada")).toBe(
      path.join("/home/ada", ".local", "share", "integrations-explorer"),
    );
    expect(defaultDataFolder("linux", { XDG_DATA_HOME: "/data" }, "/home/ada")).toBe(
      path.join("/data", "integrations-explorer"),
    );
    expect(defaultDataFolder("linux", { XDG_DATA_HOME: "" }, "/home/ada")).toBe(
      path.join("/home/ada", ".local", "share", "integrations-explorer"),
    );
    expect(defaultDataFolder("darwin", {}, "/Users/ada")).toBe(
      path.join("/Users/ada", "Library", "Application Support", "Integrations Explorer", "data"),
    );
    expect(defaultDataFolder("win32", { APPDATA: "C:\\Roaming" }, "C:\\Users\\ada")).toBe(
      path.join("C:\\Roaming", "Integrations Explorer", "data"),
    );
    expect(defaultDataFolder("win32", {}, "/Users/ada")).toBe(
      path.join("/Users/ada", "AppData", "Roaming", "Integrations Explorer", "data"),
    );
  });
});
