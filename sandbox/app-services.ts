import type { FastifyInstance } from "fastify";
import type { ConnectionLimits, Quotas } from "./config.ts";
import type { NodeRow, StartedBy, serviceErase } from "./contract/control/service-operations.ts";
import type { Refusal } from "./contract/errors.ts";
import type { ResponseOf } from "./contract/operation.ts";
import type { ActingEngine } from "./counterparts/engine.ts";
import type { StartSettings } from "./host/service-settings.ts";
import type { LiveFeed } from "./live-feed/live-feed.ts";
import type { RedirectRule } from "./oauth/authorization.ts";
import type { People } from "./oauth/sign-in.ts";
import type { Runs } from "./scenario/runs.ts";
import type { ScenarioFiles } from "./scenario/scenario-files.ts";
import type { SignedEvidence } from "./secrets/evidence.ts";
import type { Snapshots } from "./snapshots/snapshots.ts";
import type { AccessStore } from "./storage/access-store.ts";
import type { ActivityLog } from "./storage/activity-log.ts";
import type { Audit } from "./storage/audit-store.ts";
import type { EvidenceRegister } from "./storage/evidence-store.ts";
import type { SlicedReads } from "./storage/slices.ts";
import type { HourlyDeduplicator } from "./telemetry/hourly-deduplicator.ts";
import type { LogFile } from "./telemetry/log-file.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { ServiceLog } from "./telemetry/service-log.ts";
import type { MediaFiles } from "./uploads/media-files.ts";
import type { UploadSigner } from "./uploads/upload-signature.ts";
import type { Drills } from "./webhooks/drills.ts";
import type { DeliveryEngine } from "./webhooks/engine.ts";
import type { Sink } from "./webhooks/sink.ts";
import type { Worlds } from "./worlds/worlds.ts";

/** What the routes work with; put together once, by the service, for production and tests alike. */
export interface AppServices {
  readonly worlds: Worlds;
  readonly deliveries: DeliveryEngine;
  /** Does what counterparts and test values ask for when it is due. */
  readonly acting: ActingEngine;
  readonly live: LiveFeed;
  readonly sink: Sink;
  readonly drills: Drills;
  readonly snapshots: Snapshots;
  readonly scenarios: ScenarioFiles;
  readonly runs: Runs;
  readonly slices: SlicedReads;
  readonly log: ServiceLog;
  /** Says in the log what went wrong that no answer says; of a full disk, one sentence and no more for a while. */
  readonly troubled: (error: unknown) => void;
  readonly logFile: LogFile;
  readonly settings: StartSettings;
  readonly signEvidence: (evidence: string) => SignedEvidence;
  readonly evidence: EvidenceRegister;
  /**
   * Erases what the data folder has of anybody's work. What stays is what a fresh folder has too: the world default as it
   * is seeded, and the keys of the service until the next start: the windows that are open have the control token.
   */
  readonly erase: () => Promise<ResponseOf<typeof serviceErase> | Refusal>;
  readonly controlToken: () => string;
  readonly access: AccessStore;
  readonly audit: Audit;
  /** What was put there in this hour, beside changes. */
  readonly hourlyDeduplicator: HourlyDeduplicator;
  /** What went wrong in all worlds. */
  readonly activity: ActivityLog;
  readonly mode: "local" | "deployed";
  readonly host: string;
  readonly publicUrl: string | null;
  /** Hosts it is called by, and hosts it sends to, beside those of its mode (D95). */
  readonly allowHosts: readonly string[];
  readonly receiverHosts: readonly string[];
  readonly explorerFolder: string | null;
  readonly mediaFolder: string;
  readonly uploads: { readonly signer: UploadSigner; readonly files: MediaFiles };
  readonly quotas: Quotas;
  /** Of one key, or of one address without a valid one; null: as many as come. */
  readonly callsPerMinute: number | null;
  /** Ranges of addresses whose word is taken for who calls. */
  readonly trustedProxies: readonly string[];
  /** Who signs in at such a proxy; null: nobody does. */
  readonly people: People | null;
  /** Null: nobody watches. */
  readonly metrics: Metrics | null;
  /** Whether assistants may use the service. */
  readonly mcp: boolean;
  /** Whether a call that repeats another one is recorded under its id. */
  readonly keepsIds: boolean;
  readonly redirects: RedirectRule;
  readonly limits: ConnectionLimits;
  readonly signUpload: (id: string, expires: number) => string;
  /**
   * Where several machines serve the same worlds: has a call go on to the one that has its world, or wait for it, and its
   * answer until it may leave.
   */
  readonly placement?:
    | Readonly<Record<"first" | "before" | "after", (app: FastifyInstance, services: AppServices) => void>>
    | undefined;
  /** Those machines. */
  readonly nodes?: { list(): Promise<NodeRow[]>; drain(id: string): Promise<NodeRow | undefined> } | undefined;
  readonly info: {
    readonly version: string;
    readonly dataFolder: string | null;
    readonly deliveriesOn: boolean;
    readonly startedAt: number;
    readonly startedBy: StartedBy;
  };
  /** Known once the service listens. */
  readonly baseUrl: () => string;
  /** Where it really listens, whatever address others reach it under; known as soon. */
  readonly address: () => string;
}
