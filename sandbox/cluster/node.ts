import { randomBytes } from "node:crypto";
import type { ServiceConfig } from "../config.ts";
import type { DataFolder } from "../host/data-folder.ts";
import { StartError } from "../host/start-error.ts";
import type { AppServices } from "../http/app-services.ts";
import type { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import type { Sharing } from "../worlds/sharing.ts";
import { seedFingerprint } from "../worlds/template.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { Cluster } from "./cluster.ts";
import { SharedDatabase } from "./database.ts";
import { Ownership } from "./ownership.ts";
import { placementOf } from "./placement.ts";
import { SharedAccess } from "./shared-access.ts";
import { SharedAudit } from "./shared-audit.ts";
import { SharedFiles } from "./shared-files.ts";
import { WorldStore } from "./world-store.ts";

/** What a node shares with others, once its service is put together. */
interface Joining {
  readonly worlds: Worlds;
  readonly folder: Pick<DataFolder, "folder" | "database">;
  readonly media: MediaFiles;
  readonly snapshots: SnapshotFiles;
  /** Is told what nobody waits for. */
  readonly troubled: (error: unknown) => void;
  /** Whether worlds are taken for what is due in them. */
  readonly deliveries: boolean;
  /** Where it listens. */
  readonly address: string;
  readonly version: string;
}

/** One machine of several that serve the same worlds, as the service sees it. */
export interface Node {
  readonly sharing: Sharing;
  /** What all of them have in common. */
  readonly given: Readonly<Record<"control_token" | "upload_key", string>>;
  readonly placement: NonNullable<AppServices["placement"]>;
  /** Whether what is in a world by now may leave. */
  readonly mayLeave: (world: string) => Promise<boolean>;
  /** A world's file was opened, and may have been written to. */
  opened(world: World): void;
  /** From now on it may have worlds. */
  join(joining: Joining): Promise<void>;
  /** It is about to stop: calls go elsewhere, and take their worlds along. */
  leave(): Promise<void>;
  /** Gives up its worlds; they are stored. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = 8;
const OWNERSHIP_CONNECTIONS = 3;

const secret = (): string => randomBytes(32).toString("base64url");

/** What the machines have in common; who comes first says it. @throws StartError */
const commonOf = async (database: SharedDatabase, { credentials }: ServiceConfig): Promise<Node["given"]> => {
  const fingerprint = credentials === null ? "demo" : seedFingerprint(credentials);
  for (const [key, value] of Object.entries({
    control_token: secret(),
    upload_key: secret(),
    credentials: fingerprint,
  }))
    await database.run("INSERT INTO sandbox_settings VALUES ($1, $2) ON CONFLICT DO NOTHING", [key, value]);
  const rows = await database.run("SELECT key, value FROM sandbox_settings");
  const common = Object.fromEntries(rows.map(({ key, value }) => [key, String(value)]));
  if (common.credentials !== fingerprint)
    throw new StartError("bad_option", "The other nodes have other credentials. Start with the same file.");
  return { control_token: common.control_token ?? "", upload_key: common.upload_key ?? "" };
};

/** Opens the shared database of a node. @throws StartError */
export const openNode = async (config: ServiceConfig, url: string): Promise<Node> => {
  let tell: Joining["troubled"] = () => undefined;
  const troubled = (error: unknown): void => tell(error);
  const database = new SharedDatabase(url, CONNECTIONS, troubled);
  // A beat never waits behind what is being stored.
  const ownership = new SharedDatabase(url, OWNERSHIP_CONNECTIONS, troubled);
  const close = async (): Promise<void> => void (await Promise.all([database.close(), ownership.close()]));
  try {
    await database.prepare(url);
    const given = await commonOf(database, config);
    const cluster = new Cluster(new WorldStore(database), new Ownership(ownership), troubled);
    return {
      ...{ sharing: cluster, given, placement: placementOf(cluster, troubled) },
      mayLeave: (world) => cluster.mayLeave(world),
      opened: (world) => void cluster.replicate(world).catch(() => undefined),
      join: async ({ worlds, folder: { folder, database: own }, media, snapshots, ...node }) => {
        tell = node.troubled;
        const files = new SharedFiles(database, folder, media, snapshots);
        await cluster.join(
          {
            worlds,
            files,
            access: new SharedAccess(database, own.access),
            audit: new SharedAudit(database, own.audit, cluster.node),
          },
          node,
        );
      },
      leave: () => cluster.leave(),
      stop: () => cluster.stop(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
