import type { FastifyInstance } from "fastify";
import type { ConnectionLimits, ServiceConfig } from "./config.ts";
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

/** Dependencies of the routes, assembled once by the service for production and tests. */
export interface AppServices
  extends Pick<ServiceConfig, "mode" | "host" | "publicUrl" | "explorerFolder" | "mediaFolder" | "quotas" | "mcp"> {
  readonly worlds: Worlds;
  readonly deliveries: DeliveryEngine;
  /** Runs acts of counterparts and test values when they are due. */
  readonly acting: ActingEngine;
  readonly live: LiveFeed;
  readonly sink: Sink;
  readonly drills: Drills;
  readonly snapshots: Snapshots;
  readonly scenarios: ScenarioFiles;
  readonly runs: Runs;
  readonly slices: SlicedReads;
  readonly log: ServiceLog;
  /** Logs background errors. Disk failures are logged once per period. */
  readonly onError: (error: unknown) => void;
  readonly logFile: LogFile;
  readonly settings: StartSettings;
  readonly signEvidence: (evidence: string) => SignedEvidence;
  readonly evidence: EvidenceRegister;
  /**
   * Erases all work in the data folder and recreates the default world from the seed. The keys stay until the next
   * start, because open windows use the control token.
   */
  readonly erase: () => Promise<ResponseOf<typeof serviceErase> | Refusal>;
  readonly controlToken: () => string;
  readonly access: AccessStore;
  readonly audit: Audit;
  /** Records of this hour other than changes. */
  readonly hourlyDeduplicator: HourlyDeduplicator;
  readonly activity: ActivityLog;
  /** Additional allowed hosts of the service, and of receivers (D95). */
  readonly allowHosts: readonly string[];
  readonly receiverHosts: readonly string[];
  readonly uploads: { readonly signer: UploadSigner; readonly files: MediaFiles };
  /** Limit for each key, or each address without a valid one; null for none. */
  readonly callsPerMinute: number | null;
  /** Address ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** People who sign in at such a proxy; null if sign-in is off. */
  readonly people: People | null;
  /** Null if metrics are off. */
  readonly metrics: Metrics | null;
  /** True if a repeated call is recorded under its original ID. */
  readonly keepsIds: boolean;
  readonly redirects: RedirectRule;
  readonly limits: ConnectionLimits;
  readonly signUpload: (id: string, expires: number) => string;
  /**
   * In a cluster: forwards each call to its world's node, or lets it wait, and holds the response until it may be sent.
   */
  readonly placement?:
    | Readonly<Record<"first" | "before" | "after", (app: FastifyInstance, services: AppServices) => void>>
    | undefined;
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
  /** Actual listening address, apart from a public one. Known once the service listens. */
  readonly address: () => string;
}
