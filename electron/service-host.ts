import path from "node:path";
import { DEFAULT_PORT, defaultQuotas, type ServiceConfig } from "../sandbox/config.ts";
import { trustSystem } from "../sandbox/host/system-certificates.ts";
import { type ReadyLine, type RunningService, startService } from "../sandbox/service.ts";

/** The service inside this process, with one start and one stop. */
interface ServiceHost {
  /** Resolves when the explorer can be loaded; rejects with a `StartError` that contains the fix. */
  readonly ready: Promise<ReadyLine>;
  /** Closes every file, after a pending start. Safe to call more than once. */
  stop(): Promise<void>;
}

/** Starts the service on `dataFolder` without waiting: Electron starts at the same time. */
export function startServiceHost(dataFolder: string): ServiceHost {
  const running = startService(serviceConfig(dataFolder));
  const ready = running.then((service) => service.ready);
  // Loading certificates takes time, and no window needs them.
  void ready.then(trustSystem).catch(() => {});
  // The boot awaits `ready` only after Electron is ready; until then, a failed start must not count as unhandled.
  ready.catch(() => {});
  return { ready, stop: () => running.then(stopService, () => {}) };
}

const stopService = (service: RunningService): Promise<void> => service.stop();

function serviceConfig(dataFolder: string): ServiceConfig {
  return {
    host: "127.0.0.1",
    port: DEFAULT_PORT,
    // Another program on the documented port must not prevent the start.
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
