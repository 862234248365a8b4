import path from "node:path";
import type { Node } from "./cluster/node.ts";
import { connectionLimits, type ServiceConfig } from "./config.ts";
import { refuse } from "./contract/errors.ts";
import { RESTORED } from "./contract/live.ts";
import { shownDatabase } from "./contract/text.ts";
import { ActingEngine } from "./counterparts/engine.ts";
import {
  createUnusableError,
  type DataFolder,
  openDataFolder,
  readyFilePath,
  removeReadyFile,
  writeReadyFile,
} from "./host/data-folder.ts";
import { makeReadyLine, type ReadyLine } from "./host/ready-line.ts";
import { StartSettings } from "./host/service-settings.ts";
import { StartError } from "./host/start-error.ts";
import { VERSION } from "./host/version.ts";
import { buildApp } from "./http/build-app.ts";
import { listen, listenAtOtherLoopback } from "./http/open-port.ts";
import { LiveFeed } from "./live-feed/live-feed.ts";
import { redirectRule } from "./oauth/authorization.ts";
import { People } from "./oauth/sign-in.ts";
import { inRanges, isPublicAddress } from "./rules/webhooks/public-address.ts";
import { isLoopbackAddress } from "./rules/webhooks/webhook-url.ts";
import { DEFAULT_WORLD } from "./rules/worlds/world-name.ts";
import { Runs } from "./scenario/runs.ts";
import { ScenarioClient } from "./scenario/scenario-client.ts";
import { ScenarioFiles } from "./scenario/scenario-files.ts";
import { signEvidence } from "./secrets/evidence.ts";
import { registerSecrets } from "./secrets/masking.ts";
import { LongWork } from "./snapshots/long-work.ts";
import { SnapshotFiles } from "./snapshots/snapshot-files.ts";
import { Snapshots } from "./snapshots/snapshots.ts";
import { ActivityLog } from "./storage/activity-log.ts";
import { isDiskFailure } from "./storage/disk-failure.ts";
import { realTime } from "./storage/real-time.ts";
import { SlicedReads } from "./storage/slices.ts";
import { NotDurableError } from "./storage/writer.ts";
import { HourlyDeduplicator } from "./telemetry/hourly-deduplicator.ts";
import { LogFile } from "./telemetry/log-file.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { createLog } from "./telemetry/service-log.ts";
import { troubleLog } from "./telemetry/trouble-log.ts";
import { MediaFiles } from "./uploads/media-files.ts";
import { UploadSigner } from "./uploads/upload-signature.ts";
import { Drills } from "./webhooks/drills.ts";
import { DeliveryEngine } from "./webhooks/engine.ts";
import { followOwnAddresses } from "./webhooks/own-addresses.ts";
import { toNotedFailure } from "./webhooks/record.ts";
import { listSecrets, Sink } from "./webhooks/sink.ts";
import { seedFingerprint } from "./worlds/template.ts";
import type { World } from "./worlds/world.ts";
import { Worlds } from "./worlds/worlds.ts";
import type { WorldsOptions } from "./worlds/worlds-options.ts";

export type { ReadyLine };
export { StartError };

export interface RunningService {
  readonly ready: ReadyLine;
  /** Actual listening address, apart from a public one. */
  readonly address: string;
  /** Stops accepting, finishes running calls and closes every file. Can be called more than once. */
  stop(): Promise<void>;
}

/** A folder's worlds keep their original credentials, so a start with others must fail. */
const checkCredentials = (folder: DataFolder, { credentials }: ServiceConfig): void => {
  const owner = credentials === null ? "demo" : seedFingerprint(credentials);
  const storedOwner = folder.database.setting("credentials") ?? owner;
  if (storedOwner !== owner) {
    throw new StartError(
      "folder_unusable",
      `The data folder ${folder.folder} was made with other credentials. Start with those, or choose another folder with --data.`,
    );
  }
  if (folder.database.setting("credentials") === undefined) folder.database.setSetting("credentials", owner);
};

const openWorlds = (
  folder: DataFolder,
  config: ServiceConfig,
  { fold, listeners, sharing }: Pick<WorldsOptions, "fold" | "listeners" | "sharing">,
): Worlds => {
  try {
    const worlds = new Worlds({
      folder: folder.folder,
      service: folder.database,
      durability: folder.temporary ? "off" : "full",
      credentials: config.credentials,
      idleResetMs: config.idleResetMinutes * 60_000,
      mostWorlds: config.quotas.worlds,
      mostRetention: config.quotas.retentionMebibytes,
      mostOpen: config.limits?.openWorlds ?? connectionLimits.openWorlds,
      deliveries: config.deliveries,
      fold,
      listeners,
      sharing,
    });
    if (!sharing && !worlds.has(DEFAULT_WORLD)) worlds.use(DEFAULT_WORLD, () => undefined);
    return worlds;
  } catch (error) {
    throw createUnusableError(folder.folder, error);
  }
};

const countWaiting = ({ stores }: World): number =>
  stores.outbox.countBySubscription().reduce((sum, { pending }) => sum + pending, 0);

/** Undo steps of a start, run last first. */
class UndoSteps {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #done: Promise<void> | undefined;

  add(step: () => void | Promise<void>): void {
    this.#steps.unshift(step);
  }

  run(): Promise<void> {
    this.#done ??= this.#all();
    return this.#done;
  }

  async #all(): Promise<void> {
    for (const step of this.#steps) await step();
  }
}

const start = async (
  config: ServiceConfig,
  folder: DataFolder,
  undoSteps: UndoSteps,
  node: Node | null,
): Promise<Pick<RunningService, "ready" | "address">> => {
  checkCredentials(folder, config);
  const logFile = new LogFile(folder.folder);
  registerSecrets(Object.values(folder.keys));
  const log = createLog(config.log, (line) => process.stderr.write(line), logFile.write);
  for (const warning of [folder.warning, node?.warning]) if (warning) log.warn(warning);
  const settings = new StartSettings(config, folder);
  const report = troubleLog(log);
  let baseUrl = config.publicUrl ?? "";
  let address = "";
  let running = false;
  // Earlier errors make the start itself fail.
  const onError = (error: unknown): void => (running ? report(error) : undefined);
  const live = new LiveFeed(VERSION, (name, work) => worlds.withIntactWorld(name, work));
  const changed = (file: string): void => node?.cluster.shared.files.changed(file);
  const files = new MediaFiles(folder.folder, changed);
  const controlToken = (): string => folder.keys.control_token;
  const uploadKey = (): string => folder.keys.upload_key;
  const signer = new UploadSigner(uploadKey);
  const isDenied = inRanges(config.denyRanges ?? []);
  const isSendable = (address: string): boolean => isPublicAddress(address) && !isDenied(address);
  const { allowHosts = [], receiverHosts = [] } = config;
  const isLocal = config.mode === "local";
  const allows = (sentTo: string, host: string): boolean =>
    isLocal ? isLoopbackAddress(sentTo) || receiverHosts.includes(host.replace(/\.$/, "")) : isSendable(sentTo);
  const reach = { allows, anyCertificate: isLocal };
  const metrics = config.metrics
    ? await createMetrics(
        {
          worlds: () => ({ all: worlds.count, open: worlds.openNames().length }),
          waiting: () =>
            worlds.openNames().reduce((sum, name) => sum + (worlds.withOpenWorld(name, countWaiting) ?? 0), 0),
          readers: () => live.readers,
        },
        node?.cluster.figures ?? [],
      )
    : null;
  const activity = new ActivityLog(node?.activity ?? folder.database.activity, onError);
  undoSteps.add(() => activity.flush());
  const deliveries = new DeliveryEngine({
    ...{ enabled: config.deliveries, ...reach, onError, attempted: metrics?.attempted },
    failed: (world, attempted) => activity.note(toNotedFailure(world, attempted)),
    withWorld: (name, work) => worlds.withWorld(name, work),
    origin: () => baseUrl,
    mayLeave: (world) =>
      Promise.resolve(node ? node.cluster.confirm(world) : worlds.confirming(world)).then(
        () => true,
        () => false,
      ),
  });
  const deliver = (world: World): void => {
    // Earlier, the service's own address isn't known.
    if (!running) return;
    try {
      followOwnAddresses(world, baseUrl);
    } catch (error) {
      onError(error);
    }
    void node?.cluster.replicate(world).catch(() => undefined);
    deliveries.wake(world);
    acting.wake(world);
  };
  const acting = new ActingEngine({
    enabled: config.repeats === undefined,
    withWorld: (name, work) => worlds.withOpenWorld(name, work),
    wakeDeliveries: (world) => deliveries.wake(world),
    around: () => ({ baseUrl, signUpload: (id, expires) => signer.sign(id, expires) }),
    onError,
  });
  const work = new LongWork(folder.folder);
  const worlds = openWorlds(folder, config, {
    fold: (file) => work.fold(file),
    sharing: node?.cluster,
    listeners: {
      onPublish: (world) => {
        live.publish(world);
        if (running && world.stores.acts.clearTouched()) acting.wake(world);
      },
      onError,
      repeats: config.repeats,
      opened: deliver,
      removed: (name, why) => {
        files.deleteWorld(name);
        activity.deleteWorld(name);
        live.reset(name, why);
        deliveries.wake({ name });
      },
      left: (name, why) => {
        live.end(name, why);
        deliveries.listeners.end(why, name);
        deliveries.wake({ name });
      },
      reset: (name, to) => {
        if (to === "seed") files.deleteWorld(name);
        activity.deleteWorld(name);
        live.reset(name, to === "seed" ? "the world was reset to the seed" : RESTORED);
      },
    },
  });
  undoSteps.add(() => worlds.close());
  if (node) undoSteps.add(() => node.cluster.stop());
  undoSteps.add(() => deliveries.stop());
  undoSteps.add(() => acting.stop());
  const snapshotFiles = new SnapshotFiles(path.join(folder.folder, "snapshots"), !folder.temporary, changed);
  const sink = new Sink(
    async (id, world) => (await worlds.findIntegration(id, world))?.webhook_secret ?? null,
    // Opens no world, because anyone may call the sink.
    (world) => (worlds.openNames().includes(world) ? worlds.withIntactWorld(world, listSecrets) : undefined) ?? [],
  );
  const limits = { ...connectionLimits, ...config.limits };
  const scenarios = new ScenarioFiles(path.join(folder.folder, "scenarios"), !folder.temporary, changed);
  const runs = new Runs({
    ...{ baseUrl: () => baseUrl, address: () => address, token: controlToken },
    isPinned: (world) => worlds.getEntry(world)?.pinned === true,
  });
  const hourlyDeduplicator = new HourlyDeduplicator();
  const { mode, host, publicUrl, explorerFolder, mediaFolder, quotas, mcp } = config;
  const { app, loopbackServer, close } = await buildApp({
    worlds,
    deliveries,
    acting,
    live,
    log,
    onError,
    controlToken,
    access: folder.database.access,
    audit: node?.audit ?? folder.database.audit,
    activity,
    hourlyDeduplicator,
    ...{ mode, host, publicUrl, explorerFolder, mediaFolder, quotas, mcp },
    allowHosts,
    receiverHosts,
    uploads: { signer, files },
    callsPerMinute: config.callsPerMinute ?? null,
    trustedProxies: config.trustedProxies ?? [],
    people: config.people ? new People(config.people, config.trustedProxies ?? [], uploadKey) : null,
    metrics,
    keepsIds: config.repeats !== undefined,
    redirects: redirectRule(mode, config.credentials),
    limits,
    signUpload: (id, expires) => signer.sign(id, expires),
    drills: new Drills({ ...reach, listeners: deliveries.listeners, origin: () => baseUrl }, (name, act) =>
      worlds.withWorld(name, act),
    ),
    snapshots: new Snapshots({
      worlds,
      files: snapshotFiles,
      media: files,
      work,
      credentials: config.credentials,
      quotas,
      version: VERSION,
      apart: (folder, repeats, run) => runPrivate({ ...config, publicUrl: baseUrl, repeats }, folder, run),
    }),
    sink,
    logFile,
    settings,
    evidence: node?.evidence ?? folder.database.evidence,
    signEvidence: (evidence) => signEvidence(uploadKey(), evidence),
    erase: async () => {
      if (node)
        return refuse(
          "forbidden",
          "A sandbox on several nodes can’t erase everything at once. Delete its worlds one by one.",
        );
      // Ends running work first, because it would recreate files.
      await work.end(null);
      await runs.close();
      const before = worlds.list().length;
      const left = await worlds.admin.removeAll();
      const erased = { snapshots: snapshotFiles.deleteAll(), scenarios: scenarios.deleteAll() };
      files.deleteOthers(left);
      const { access, audit, evidence, activity: counted } = folder.database;
      for (const store of [sink, logFile, access, audit, evidence, counted, hourlyDeduplicator]) store.clear();
      settings.clear();
      folder.rotateKeys();
      folder.database.compact();
      return { worlds: before - left.length, ...erased, left };
    },
    scenarios,
    runs,
    slices: new SlicedReads(),
    info: {
      version: VERSION,
      dataFolder: folder.temporary ? null : folder.folder,
      deliveriesOn: config.deliveries,
      startedAt: realTime(),
      startedBy: config.startedBy ?? "command",
    },
    baseUrl: () => baseUrl,
    address: () => address,
    placement: node?.placement,
    nodes: node?.nodes,
  });
  undoSteps.add(close);
  undoSteps.add(() => live.close());
  undoSteps.add(() => deliveries.listeners.end("the service stops"));
  undoSteps.add(() => runs.close());
  // Cancels running work, so a stop never takes minutes.
  undoSteps.add(() => work.stop());
  address = await listen(app, { ...config, port: settings.port() });
  const otherLoopback = await listenAtOtherLoopback(loopbackServer, address);
  if (otherLoopback !== null) log.warn(otherLoopback);
  baseUrl = config.publicUrl ?? address;
  const ready = makeReadyLine(baseUrl, controlToken(), config);
  if (!folder.temporary) {
    writeReadyFile(readyFilePath(folder.folder), ready);
    undoSteps.add(() => removeReadyFile(readyFilePath(folder.folder), process.pid));
  }
  if (node) undoSteps.add(() => node.cluster.leave());
  const reporting = { onError, log: log.info };
  await node?.join({ worlds, address, data: folder, media: files, snapshots: snapshotFiles, ...reporting });
  running = true;
  for (const name of worlds.openNames()) worlds.withOpenWorld(name, deliver);
  worlds.openDue();
  const keptAt =
    config.cluster === undefined ? (folder.temporary ? "not kept" : folder.folder) : shownDatabase(config.cluster);
  log.info("listening", { address, data: keptAt });
  return { ready, address };
};

/** Runs a private service on its own data folder with this service's configuration, except its limits and access. */
const runPrivate = async <T>(
  { cluster: _none, callsPerMinute: _many, limits: _usual, people: _nobody, ...config }: ServiceConfig,
  dataFolder: string,
  run: (client: ScenarioClient) => Promise<T>,
): Promise<T> => {
  const service = await startService({
    ...{ ...config, dataFolder, host: "127.0.0.1", port: 0, isPortGiven: true },
    ...{ deliveries: false, metrics: false, mcp: false, explorerFolder: null, log: "silent" },
  });
  try {
    const { base_url, control_token } = service.ready;
    return await run(new ScenarioClient(base_url, control_token, "scenario", service.address));
  } finally {
    await service.stop();
  }
};

/** Starts the service. Resolves once it listens. @throws StartError */
export const startService = async (config: ServiceConfig): Promise<RunningService> => {
  const missing = [
    ...(config.publicUrl === null ? ["--public-url"] : []),
    ...(config.credentials === null ? ["--credentials"] : []),
  ];
  if (config.mode === "deployed" && missing.length > 0) {
    throw new StartError("bad_option", `A deployed sandbox needs ${missing.join(" and ")}.`);
  }
  if (config.receiverHosts && config.mode === "deployed") {
    throw new StartError(
      "bad_option",
      "--receiver-host is for local mode: a deployed sandbox sends to public https addresses only.",
    );
  }
  if (config.people && (config.mode === "local" || !config.trustedProxies)) {
    throw new StartError(
      "bad_option",
      "People can only sign in to a deployed sandbox behind a proxy: --people needs --mode deployed and --trusted-proxy.",
    );
  }
  const undoSteps = new UndoSteps();
  // Loaded on demand, together with its database client.
  const node =
    config.cluster === undefined ? null : await (await import("./cluster/node.ts")).openNode(config, config.cluster);
  if (node) undoSteps.add(() => node.close());
  // A node's files are only copies of the database.
  const folder = openDataFolder(node ? null : config.dataFolder, node?.given);
  undoSteps.add(() => folder.close());
  try {
    return { ...(await start(config, folder, undoSteps, node)), stop: () => undoSteps.run() };
  } catch (error) {
    await undoSteps.run();
    // The disk may have failed only at the last write of the start.
    throw isDiskFailure(error) || (error instanceof NotDurableError && !node)
      ? createUnusableError(folder.folder, error)
      : error;
  }
};
