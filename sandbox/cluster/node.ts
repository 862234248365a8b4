import { randomBytes } from "node:crypto";
import type { ServiceConfig } from "../config.ts";
import type { DataFolder } from "../host/data-folder.ts";
import { StartError } from "../host/start-error.ts";
import type { AppServices } from "../http/app-services.ts";
import type { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import { seedFingerprint } from "../worlds/template.ts";
import { Cluster, type Shared } from "./cluster.ts";
import { SharedDatabase } from "./database.ts";
import { Ownership } from "./ownership.ts";
import { placementOf } from "./placement.ts";
import { SharedAccess } from "./shared-access.ts";
import { type SharedAudit, sharedAudit } from "./shared-audit.ts";
import { SharedFiles } from "./shared-files.ts";
import { WorldStore } from "./world-store.ts";

/** What a node shares with others, once its service is put together. */
interface Joining extends Pick<Shared, "worlds" | "address" | "deliveries"> {
  readonly data: DataFolder;
  readonly media: MediaFiles;
  readonly snapshots: SnapshotFiles;
  /** Is told what nobody waits for. */
  readonly troubled: (error: unknown) => void;
}

/** One machine of several that serve the same worlds, as the service sees it. */
export interface Node {
  readonly cluster: Cluster;
  /** What all of them have in common. */
  readonly given: Readonly<Record<"control_token" | "upload_key", string>>;
  readonly audit: SharedAudit;
  readonly placement: NonNullable<AppServices["placement"]>;
  /** From now on it may have worlds. */
  join(joining: Joining): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = 8;
const OWNERSHIP_CONNECTIONS = 3;

const secret = (): string => randomBytes(32).toString("base64url");

/** What the machines have in common; who comes first says it. @throws StartError */
const commonOf = async (database: SharedDatabase, { credentials }: ServiceConfig): Promise<Node["given"]> => {
  const fingerprint = credentials === null ? "demo" : seedFingerprint(credentials);
  const ours = { control_token: secret(), upload_key: secret(), credentials: fingerprint };
  for (const pair of Object.entries(ours))
    await database.run("INSERT INTO sandbox_settings VALUES ($1, $2) ON CONFLICT DO NOTHING", pair);
  const rows = await database.run("SELECT key, value FROM sandbox_settings");
  const common = { ...ours, ...Object.fromEntries(rows.map(({ key, value }) => [key, String(value)])) };
  if (common.credentials !== fingerprint)
    throw new StartError("bad_option", "The other nodes have other credentials. Start with the same file.");
  return { control_token: common.control_token, upload_key: common.upload_key };
};

/** Opens the shared database of a node. @throws StartError */
export const openNode = async (config: ServiceConfig, url: string): Promise<Node> => {
  let tell: Joining["troubled"] = () => undefined;
  const troubled = (error: unknown): void => tell(error);
  const database = new SharedDatabase(url, CONNECTIONS, troubled);
  // A beat never waits behind what is being stored.
  const beats = new SharedDatabase(url, OWNERSHIP_CONNECTIONS, troubled);
  const close = async (): Promise<void> => void (await Promise.all([database.close(), beats.close()]));
  try {
    await database.prepare(url);
    const cluster = new Cluster(new WorldStore(database), new Ownership(beats), troubled);
    const audit = sharedAudit(database);
    return {
      ...{ cluster, audit, given: await commonOf(database, config), placement: placementOf(cluster, troubled), close },
      join: async ({ data, media, snapshots, ...joining }) => {
        tell = joining.troubled;
        const files = new SharedFiles(database, data.folder, media, snapshots);
        const clear = () => Promise.all([database.clear(), audit.clear()]);
        await cluster.join({ ...joining, files, access: new SharedAccess(database, data.database.access), clear });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};
