import path from "node:path";
import { DEFAULT_PORT, defaultQuotas, type ServiceConfig } from "../sandbox/config.ts";
import { trustSystem } from "../sandbox/host/system-certificates.ts";
import { type ReadyLine, type RunningService, startService } from "../sandbox/service.ts";

/** The service inside this process: one start, one stop. */
export interface ServiceHost {
  /** Resolves when the explorer can be loaded; rejects with a `StartError` that says what to do. */
  readonly ready: Promise<ReadyLine>;
  /** Closes every file; waits for a start that is still under way. Safe to call more than once. */
  stop(): Promise<void>;
}

/** Starts the service on `dataFolder`, without waiting for it: the window's runtime comes up meanwhile. */
export function startServiceHost(dataFolder: string): ServiceHost {
  const running = startService(serviceConfig(dataFolder));
  const ready = running.then((service) => service.ready);
  // Reading them takes a moment, for which no window waits.
  void ready.then(trustSystem).catch(() => {});
  // The boot looks at `ready` only once Electron is up; until then a failed start must not count as unhandled.
  ready.catch(() => {});
  return { ready, stop: () => running.then(stopService, () => {}) };
}

const stopService = (service: RunningService): Promise<void> => service.stop();

function serviceConfig(dataFolder: string): ServiceConfig {
  return {
    host: "127.0.0.1",
    port: DEFAULT_PORT,
    // A second program on the documented port is no reason to keep a person from their window.
    whenPortTaken: "any",
    dataFolder,
    mode: "local",
    publicUrl: null,
    credentials: null,
    deliveries: true,
    mcp: true,
    idleResetMinutes: 60,
    quotas: defaultQuotas,
    explorerFolder: path.join(import.meta.dirname, "../renderer"),
    mediaFolder: path.join(import.meta.dirname, "media"),
    log: "silent",
    startedBy: "desktop",
  };
}
