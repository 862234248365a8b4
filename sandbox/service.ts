import type { FastifyInstance } from "fastify";
import type { ServiceConfig } from "./config.ts";
import { type DataFolder, readyFileOf, removeReadyFile, takeDataFolder, writeReadyFile } from "./data-folder.ts";
import type { AppServices } from "./http/app-services.ts";
import { buildApp } from "./http/build-app.ts";
import { gracefulClose } from "./http/graceful-close.ts";
import { Recorder } from "./http/recorder.ts";
import { LiveFeed } from "./live-feed/live-feed.ts";
import type { ReadyLine } from "./ready-line.ts";
import { DEFAULT_WORLD } from "./rules/world-name.ts";
import { createLog } from "./service-log.ts";
import { StartError } from "./start-error.ts";
import { NewerDataError } from "./storage/database.ts";
import { MediaFiles } from "./uploads/media-files.ts";
import { UploadSigner } from "./uploads/upload-signature.ts";
import { VERSION } from "./version.ts";
import { DeliveryEngine } from "./webhooks/engine.ts";
import { Sink } from "./webhooks/sink.ts";
import { fixedClients, fixedCredentials } from "./worlds/seed/fixed.ts";
import { Worlds } from "./worlds/worlds.ts";

export type { ReadyLine };
export { StartError };

export interface RunningService {
  readonly ready: ReadyLine;
  /** Stops accepting, finishes what is in flight, closes every file. Safe to call more than once. */
  stop(): Promise<void>;
}

const listen = async (app: FastifyInstance, config: ServiceConfig): Promise<string> => {
  try {
    return await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE" && config.whenPortTaken === "any") return app.listen({ host: config.host, port: 0 });
    if (code === "EADDRINUSE") {
      throw new StartError(
        "port_taken",
        `Port ${config.port} of ${config.host} is taken by another program. Stop it, or choose another port with --port (0 takes any free one).`,
      );
    }
    if (code === "EACCES")
      throw new StartError(
        "port_taken",
        `Port ${config.port} may not be used by you. Choose one above 1023 with --port.`,
      );
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new StartError(
        "bad_option",
        `This machine has no address ${config.host}. Choose another one with --host; 127.0.0.1 always works.`,
      );
    }
    throw error;
  }
};

const openWorlds = (
  folder: DataFolder,
  config: ServiceConfig,
  listeners: ConstructorParameters<typeof Worlds>[0]["listeners"],
): Worlds => {
  try {
    const worlds = new Worlds({
      folder: folder.folder,
      service: folder.database,
      durability: folder.temporary ? "off" : "full",
      idleResetMs: config.idleResetMinutes * 60_000,
      listeners,
    });
    worlds.use(DEFAULT_WORLD);
    return worlds;
  } catch (error) {
    if (error instanceof NewerDataError) throw new StartError("newer_data", error.message);
    throw new StartError(
      "folder_unusable",
      `The data folder ${folder.folder} cannot be used (${error instanceof Error ? error.message : String(error)}). Choose another one with --data, or check its disk and permissions.`,
    );
  }
};

const readyLine = (baseUrl: string, config: ServiceConfig, token: string): ReadyLine => {
  const pick = ({ api_key, integration_id }: (typeof fixedCredentials)["repairer" | "supplier"]) => ({
    api_key,
    integration_id,
  });
  const client = ({ client_id, client_secret }: (typeof fixedClients)["demo" | "no_oauth"]) => ({
    client_id,
    client_secret,
  });
  const known = {
    credentials: { repairer: pick(fixedCredentials.repairer), supplier: pick(fixedCredentials.supplier) },
    clients: { demo: client(fixedClients.demo), no_oauth: client(fixedClients.no_oauth) },
  };
  return {
    event: "ready",
    base_url: baseUrl,
    explorer_url: `${baseUrl}/#token=${token}`,
    mode: config.mode,
    pid: process.pid,
    control_token: token,
    ...(config.mode === "local" ? known : {}),
  };
};

/** A wildcard interface is reached under loopback. */
const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");

/** Starts the service: takes the data folder, listens, resolves when it can be used. @throws StartError */
export const startService = async (config: ServiceConfig): Promise<RunningService> => {
  const log = createLog(config.log, (line) => process.stderr.write(line));
  const folder = takeDataFolder(config.dataFolder);
  const live = new LiveFeed(VERSION);
  const onError = (error: unknown) => log.error("background work failed", error);
  const recorder = new Recorder(onError);
  const deliveries = new DeliveryEngine({ enabled: config.deliveries, onError });
  const signer = new UploadSigner(folder.uploadKey);
  const files = new MediaFiles(folder.folder);
  let baseUrl = config.publicUrl ?? "";
  let worlds: Worlds | undefined;
  let closeApp: (() => Promise<void>) | undefined;

  const close = async (): Promise<void> => {
    live.close();
    await closeApp?.();
    await deliveries.stop();
    recorder.close();
    worlds?.close();
    if (!folder.temporary) removeReadyFile(readyFileOf(folder.folder), process.pid);
    folder.close();
  };

  try {
    const opened = openWorlds(folder, config, {
      published: (world, entries) => live.publish(world.name, entries),
      opened: (world) => deliveries.wake(world),
      reset: (world) => {
        files.forget(world.name);
        live.reset(world.name, "the world was seeded anew");
      },
    });
    worlds = opened;
    const services: AppServices = {
      worlds: opened,
      deliveries,
      live,
      recorder,
      log,
      controlToken: folder.controlToken,
      mode: config.mode,
      host: config.host,
      publicUrl: config.publicUrl,
      explorerFolder: config.explorerFolder,
      mediaFolder: config.mediaFolder,
      uploads: { signer, files },
      signUpload: (id, expires) => signer.sign(id, expires),
      sink: new Sink(
        (id) => opened.search((world) => world.stores.credentials.byIntegration(id)?.webhook_secret) ?? null,
      ),
      info: {
        version: VERSION,
        dataFolder: folder.temporary ? null : folder.folder,
        deliveriesOn: config.deliveries,
        startedAt: Date.now(),
      },
      baseUrl: () => baseUrl,
    };
    const app = await buildApp(services);
    closeApp = gracefulClose(app);
    const address = reachable(await listen(app, config));
    baseUrl = config.publicUrl ?? address;
    const ready = readyLine(baseUrl, config, folder.controlToken);
    if (!folder.temporary) writeReadyFile(readyFileOf(folder.folder), ready);
    log.info("listening", { address, data: folder.temporary ? "not kept" : folder.folder });
    let stopped: Promise<void> | undefined;
    return {
      ready,
      stop: () => {
        stopped ??= close();
        return stopped;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};
