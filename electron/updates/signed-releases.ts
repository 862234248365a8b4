import { verify } from "node:crypto";
import type { AppUpdater, UpdateInfo } from "electron-updater";
import { GenericProvider } from "electron-updater/out/providers/GenericProvider.js";
import { type ProviderRuntimeOptions, parseUpdateInfo } from "electron-updater/out/providers/Provider.js";
import type { NamedProxy } from "../../sandbox/scenario/route.ts";
import type { Releases } from "./releases.ts";

/** A release without a valid signature of this app's key. */
class NotSignedError extends Error {
  constructor() {
    super("The release isn’t signed with this app’s key. Nothing was downloaded.");
    this.name = "NotSigned";
  }
}

type ProviderClass = new (given: object, updater: AppUpdater, options: ProviderRuntimeOptions) => GenericProvider;

/**
 * Reads the newest release, and accepts it only with a valid signature. Linux verifies no installation; Windows and
 * macOS also check their own signatures. The signature covers the release's description with each file's checksum, and
 * electron-updater installs only matching files.
 */
const signedReleases = ({ url, publicKey }: Releases): ProviderClass =>
  class extends GenericProvider {
    constructor(_given: object, updater: AppUpdater, options: ProviderRuntimeOptions) {
      super({ provider: "generic", url }, updater, options);
    }

    /** The library would send an ID of this installation with each check. */
    override setRequestHeaders(): void {}

    override async getLatestVersion(): Promise<UpdateInfo> {
      const file = `${this.getDefaultChannelName()}.yml`;
      const address = new URL(file, `${url}/`);
      const described = (await this.httpRequest(address)) ?? "";
      const signature = (await this.httpRequest(new URL(`${address.href}.sig`))) ?? "";
      if (!verify(null, Buffer.from(described), publicKey, Buffer.from(signature, "base64")))
        throw new NotSignedError();
      return parseUpdateInfo(described, file, address);
    }
  };

/** Uses a proxy for an updater; by default, the system's setting. */
export async function configureProxy(
  proxy: NamedProxy | null,
  updater: Pick<AppUpdater, "netSession" | "signals">,
): Promise<void> {
  if (proxy === null) return;
  const { host, protocol, username, password } = new URL(proxy.address);
  await updater.netSession.setProxy({ proxyRules: `${protocol}//${host}`, proxyBypassRules: proxy.excluded });
  updater.signals.login((_asks, respond) => respond(decodeURIComponent(username), decodeURIComponent(password)));
}

/** Configures an updater for signed releases only, and for actions only on request. */
export function configure<U extends AppUpdater>(updater: U, releases: Releases): U {
  updater.logger = null;
  updater.autoDownload = false;
  // Installs at a clean quit, after the service has closed its files.
  updater.autoInstallOnAppQuit = true;
  updater.disableDifferentialDownload = true;
  updater.setFeedURL({ provider: "custom", updateProvider: signedReleases(releases) });
  return updater;
}
