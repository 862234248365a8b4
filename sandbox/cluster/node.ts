// Puts a cluster node together from its parts.
import { isIPv6 } from "node:net";
import type { ServiceConfig } from "../config.ts";
import { type DataFolder, newKeys, type ServiceKeys } from "../host/data-folder.ts";
import { StartError } from "../host/start-error.ts";
import type { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import { setRealTime } from "../storage/real-time.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import { seedFingerprint } from "../worlds/template.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { Cluster, type Shared } from "./cluster.ts";
import { SharedDatabase, unencrypted } from "./database.ts";
import { Forwarding } from "./forwarding.ts";
import { Ownership } from "./ownership.ts";
import { createPlacement } from "./placement.ts";
import { SharedAccess } from "./shared-access.ts";
import { SharedFiles } from "./shared-files.ts";
import { sharedActivity, sharedAudit, sharedEvidence } from "./shared-records.ts";
import { REPLACE_SETTING } from "./tables.ts";
import { WorldStore } from "./world-store.ts";

/** Parts of a service that is ready to join. */
interface JoiningService {
  readonly worlds: Worlds;
  readonly address: string;
  readonly data: DataFolder;
  readonly media: MediaFiles;
  readonly snapshots: SnapshotFiles;
  /** Logs errors of background work. */
  readonly onError: (error: unknown) => void;
  readonly log: Shared["log"];
}

/** One of several nodes that serve the same worlds, as the service sees it. */
export type Node = Awaited<ReturnType<typeof openNode>>;

const CONNECTIONS = 8;
const CLAIM_CONNECTIONS = 3;
/** How often to repeat the same error, because every world and every check meets it. */
const REPEAT_MS = 10_000;

/** Returns the settings that all nodes share; the first node stores them. @throws StartError for other credentials */
const readSharedSettings = async (database: SharedDatabase, { credentials }: ServiceConfig) => {
  const fingerprint = credentials === null ? "demo" : seedFingerprint(credentials);
  const ours = { ...newKeys(), forward_key: newKeys().upload_key, credentials: fingerprint };
  const insert = "INSERT INTO sandbox_settings SELECT * FROM json_each_text($1) ON CONFLICT DO NOTHING";
  await database.run(insert, [JSON.stringify(ours)]);
  const rows = await database.run("SELECT key, value FROM sandbox_settings");
  const common = { ...ours, ...Object.fromEntries(rows.map(({ key, value }) => [key, String(value)])) };
  if (common.credentials !== fingerprint)
    throw new StartError("bad_option", "The other nodes have other credentials. Start with the same file.");
  const { control_token, upload_key, forward_key } = common;
  return { given: { control_token, upload_key }, forward_key };
};

/** Returns the URL at which other nodes reach this node, even if it listens at all addresses of its machine. */
const findReachableUrl = async (
  ownAddress: string,
  { host }: ServiceConfig,
  database: SharedDatabase,
): Promise<string> => {
  const own = ["0.0.0.0", "::"].includes(host) ? await database.ownAddress() : null;
  const { port, origin } = new URL(ownAddress);
  return own === null ? origin : `http://${isIPv6(own) ? `[${own}]` : own}:${port}`;
};

/** Replaces the keys of all nodes; running nodes adopt them. @throws StartError @throws DatabaseError */
export const rotateSharedKeys = async (url: string): Promise<ServiceKeys> => {
  const database = new SharedDatabase(url, 1, () => undefined);
  try {
    await database.prepare(url);
    const keys = newKeys();
    await database.run(`INSERT INTO sandbox_settings SELECT * FROM json_each_text($1) ${REPLACE_SETTING}`, [
      JSON.stringify(keys),
    ]);
    return keys;
  } finally {
    await database.close();
  }
};

/** Opens the shared database of a node, which owns no worlds before it joins. @throws StartError */
export const openNode = async (config: ServiceConfig, url: string) => {
  let onError: JoiningService["onError"] = () => undefined;
  const reportedAt = new Map<string, number>();
  const reportOnce = (error: unknown): void => {
    const [what, now] = [String(error), performance.now()];
    if (now - (reportedAt.get(what) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    reportedAt.set(what, now);
    onError(error);
  };
  const database = new SharedDatabase(url, CONNECTIONS, reportOnce);
  // Separate pools: claims must not wait for large writes, nor heartbeats for hundreds of claims.
  const claims = new SharedDatabase(url, CLAIM_CONNECTIONS, reportOnce);
  const beats = new SharedDatabase(url, 1, reportOnce);
  const close = async (): Promise<void> => {
    await Promise.all([database, claims, beats].map((one) => one.close()));
    setRealTime(null);
  };
  try {
    await database.prepare(url);
    const ownership = new Ownership(claims, beats);
    await ownership.clock.ask(database);
    const { given, forward_key } = await readSharedSettings(database, config);
    const forwarding = new Forwarding(ownership.node, forward_key);
    const cluster = new Cluster(new WorldStore(database), ownership, reportOnce);
    const join = async ({
      worlds,
      address: ownAddress,
      data,
      media,
      snapshots,
      log,
      onError: report,
    }: JoiningService): Promise<void> => {
      onError = report;
      const files = new SharedFiles(database, data.folder, media, snapshots, () => cluster.positions);
      const access = new SharedAccess(database, data.database.access, data.keys);
      const { deliveries } = config;
      const address = await findReachableUrl(ownAddress, config, database);
      return cluster.join({ worlds, address, files, access, database, forwarding, deliveries, log });
    };
    return {
      cluster,
      given,
      warning: unencrypted(url),
      audit: sharedAudit(database),
      evidence: sharedEvidence(database),
      activity: sharedActivity(database),
      placement: createPlacement(cluster, forwarding),
      nodes: ownership.nodes,
      join,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
