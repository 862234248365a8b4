import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestOptions, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ClientRequest } from "electron";
import { AppImageUpdater, type AppUpdater } from "electron-updater";
import { ElectronHttpExecutor } from "electron-updater/out/electronHttpExecutor.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { proxyTo } from "../../sandbox/scenario/route.ts";
import { configure, configureProxy } from "./signed-releases.ts";
import { type Conversation, createUpdates } from "./updates.ts";

/** The library's own executor, on Node's network instead of Electron's. */
class NodeExecutor extends ElectronHttpExecutor {
  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    return request(options, callback) as unknown as ClientRequest;
  }
}

const keys = generateKeyPairSync("ed25519", {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const scratch = mkdtempSync(path.join(tmpdir(), "updates-"));
const released = path.join(scratch, "release");
const installed = path.join(scratch, "integrations-explorer.AppImage");
const description = `latest-linux${process.arch === "x64" ? "" : `-${process.arch}`}.yml`;
/** Stands for an AppImage: the updater runs it after the replacement. */
const newVersion = "#!/bin/sh\n# the new version\n";

/** Serves a folder as a release server, and records requests. */
const asked: IncomingMessage[] = [];
const server = createServer((incoming, outgoing) => {
  asked.push(incoming);
  const file = path.join(released, path.basename(incoming.url ?? ""));
  if (existsSync(file)) outgoing.end(readFileSync(file));
  else outgoing.writeHead(404).end();
});
const namesAsked = () => asked.map(({ url }) => path.basename(url ?? ""));

/** Releases a version with the workflow's own script. */
function release(version: string, key = keys.privateKey): void {
  const made = path.join(scratch, "made");
  const file = `integrations-explorer-${version}.AppImage`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  writeFileSync(path.join(made, file), newVersion);
  const sha512 = createHash("sha512").update(newVersion).digest("base64");
  const files = `files:\n  - url: ${file}\n    sha512: ${sha512}\n    size: ${newVersion.length}\n`;
  const notes = "releaseNotes: |-\n  ### Added\n  - this\n";
  writeFileSync(
    path.join(made, description),
    `version: ${version}\n${files}path: ${file}\nsha512: ${sha512}\n${notes}`,
  );
  const env = { ...process.env, RELEASE_SIGNING_KEY: key };
  execFileSync(process.execPath, ["build/release.mjs", "collect", made, released, "Linux"], { env });
}

const person = {
  offer: vi.fn<Conversation["offer"]>(),
  offerRestart: vi.fn<Conversation["offerRestart"]>(),
  showNewest: vi.fn<Conversation["showNewest"]>(),
  showCannotUpdate: vi.fn<Conversation["showCannotUpdate"]>(),
  showProblem: vi.fn<Conversation["showProblem"]>(),
};
const restart = vi.fn();

/** Updates from version 0.2.0, with the real library. `quit` ends the app. */
function startApp() {
  const onQuit: ((exitStatus: number) => void)[] = [];
  const updater = new AppImageUpdater(null, {
    version: "0.2.0",
    name: "integrations-explorer",
    isPackaged: true,
    appUpdateConfigPath: path.join(scratch, "app-update.yml"),
    userDataPath: path.join(scratch, "profile"),
    baseCachePath: path.join(scratch, "cache"),
    whenReady: async () => {},
    relaunch() {},
    quit() {},
    onQuit: (handler: (exitStatus: number) => void) => void onQuit.push(handler),
  });
  Object.assign(updater, { httpExecutor: new NodeExecutor() });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  configure(updater, { url, publicKey: keys.publicKey });
  const { check } = createUpdates(async () => updater, person, restart);
  const quit = () => {
    for (const handler of onQuit) handler(0);
  };
  return { check, quit };
}

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.close();
  rmSync(scratch, { recursive: true, force: true });
});

beforeEach(() => {
  vi.resetAllMocks();
  vi.spyOn(console, "error").mockReturnValue();
  vi.stubEnv("APPIMAGE", installed);
  asked.length = 0;
  for (const folder of [released, path.join(scratch, "cache")]) rmSync(folder, { recursive: true, force: true });
  writeFileSync(path.join(scratch, "app-update.yml"), "updaterCacheDirName: updates\n");
  writeFileSync(installed, "the old version");
  chmodSync(installed, 0o755);
});
afterEach(() => vi.unstubAllEnvs());

describe("a company's proxy", () => {
  const env = { HTTPS_PROXY: "http://anna:p%40ss@proxy.example.com:3128", NO_PROXY: "intern.example.com" };
  const proxy = proxyTo("https://github.com/acme/explorer/releases", env);

  test("carries updates, with its password", async () => {
    const setProxy = vi.fn();
    const login = vi.fn();
    await configureProxy(proxy, { netSession: { setProxy }, signals: { login } } as unknown as AppUpdater);
    expect(setProxy.mock.calls).toEqual([
      [{ proxyRules: "http://proxy.example.com:3128", proxyBypassRules: "intern.example.com" }],
    ]);
    const answer = vi.fn();
    login.mock.lastCall?.[0]({}, answer);
    expect(answer.mock.calls).toEqual([["anna", "p@ss"]]);
  });

  test("is named without its password when the releases are unreachable", async () => {
    const load = async () => {
      throw new Error("net::ERR_PROXY_CONNECTION_FAILED");
    };
    await createUpdates(load, person, restart, proxy?.through).check(true);
    expect(person.showProblem.mock.calls).toEqual([
      [
        "The releases can’t be reached through the proxy http://proxy.example.com:3128 (ERR_PROXY_CONNECTION_FAILED). Check the connection and the proxy, then try again.",
      ],
    ]);
  });

  test("defaults to the system's setting", async () => {
    const setProxy = vi.fn();
    await configureProxy(proxyTo("https://github.com/", {}), { netSession: { setProxy } } as unknown as AppUpdater);
    expect(setProxy).not.toHaveBeenCalled();
  });
});

describe.skipIf(process.platform !== "linux")("updates of an AppImage (Linux only)", () => {
  test("a newer version is offered with its notes, downloaded, and installed on quit", async () => {
    release("0.3.0");
    person.offer.mockResolvedValue(true);
    person.offerRestart.mockResolvedValue(false);
    const app = startApp();
    await app.check(false);
    expect(person.offer.mock.calls).toEqual([["0.3.0", "### Added\n- this"]]);
    expect(person.offerRestart.mock.calls).toEqual([["0.3.0"]]);
    expect(restart).not.toHaveBeenCalled();
    expect(readFileSync(installed, "utf8")).toBe("the old version");
    app.quit();
    expect(readFileSync(installed, "utf8")).toBe(newVersion);
    expect(asked.filter(({ headers }) => "x-user-staging-id" in headers)).toEqual([]);
  });

  test("nothing is downloaded without consent, and restarting is optional", async () => {
    release("0.3.0");
    person.offer.mockResolvedValueOnce(false).mockResolvedValueOnce(true);
    person.offerRestart.mockResolvedValue(true);
    const app = startApp();
    await app.check(true);
    expect(namesAsked()).toEqual([description, `${description}.sig`]);
    await app.check(true);
    expect(restart).toHaveBeenCalledOnce();
  });

  test.each(["0.1.0", "0.2.0"])("a release of version %s isn't installed", async (version) => {
    release(version);
    const { check } = startApp();
    await check(false);
    expect(person.showNewest).not.toHaveBeenCalled();
    await check(true);
    expect(person.showNewest).toHaveBeenCalledOnce();
    expect(person.offer).not.toHaveBeenCalled();
  });

  test.each([
    [
      "changed after it was signed",
      () => {
        const file = path.join(released, description);
        writeFileSync(file, readFileSync(file, "utf8").replace("- this", "- that"));
      },
    ],
    [
      "signed with another key",
      () => {
        const { privateKey } = generateKeyPairSync("ed25519");
        release("0.3.0", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
      },
    ],
  ])("a release that is %s is refused before its download", async (_how, tamper) => {
    release("0.3.0");
    tamper();
    await startApp().check(true);
    expect(person.offer).not.toHaveBeenCalled();
    expect(person.showProblem.mock.calls).toEqual([[expect.stringContaining("isn’t signed with this app’s key")]]);
    expect(namesAsked()).toEqual([description, `${description}.sig`]);
  });

  test("an installer without a valid signature is deleted, not installed", async () => {
    release("0.3.0");
    writeFileSync(path.join(released, "integrations-explorer-0.3.0.AppImage"), `${newVersion}# and something else\n`);
    person.offer.mockResolvedValue(true);
    const app = startApp();
    await app.check(true);
    expect(person.showProblem.mock.calls).toEqual([[expect.stringContaining("isn’t the one that was signed")]]);
    app.quit();
    expect(readFileSync(installed, "utf8")).toBe("the old version");
  });

  test.each([
    ["release", description],
    ["signature", `${description}.sig`],
    ["installer", "integrations-explorer-0.3.0.AppImage"],
  ])("a missing %s is reported after a manual check", async (_what, file) => {
    release("0.3.0");
    rmSync(path.join(released, file));
    person.offer.mockResolvedValue(true);
    const { check } = startApp();
    await check(true);
    expect(person.showProblem.mock.calls).toEqual([[expect.stringContaining("wasn’t found")]]);
    expect(person.offerRestart).not.toHaveBeenCalled();
  });

  test("an automatic check fails silently", async () => {
    await startApp().check(false);
    expect(person.showProblem).not.toHaveBeenCalled();
  });

  test("a manually copied app says that it can't update itself", async () => {
    vi.stubEnv("APPIMAGE", undefined);
    await startApp().check(true);
    expect(person.showCannotUpdate).toHaveBeenCalledOnce();
    expect(asked).toEqual([]);
  });
});
