import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, Nullable, OneOf, Timestamp } from "../schema.ts";
import { base, inWorld } from "./declaring.ts";

/** What a service can be told when it starts: the option is `--idle-reset`, the variable `SANDBOX_IDLE_RESET`. */
export const startOptions = [
  "port",
  "host",
  "data",
  "mode",
  "public_url",
  "credentials",
  "deliveries",
  "deny_range",
  "mcp",
  "idle_reset",
  "max_worlds",
  "max_subscriptions",
  "max_world_subscriptions",
  "max_access_codes",
  "max_uploads",
  "log",
] as const;
export type StartOption = (typeof startOptions)[number];

export const startedBy = ["desktop", "command"] as const;
export type StartedBy = (typeof startedBy)[number];

const origins = ["option", "environment", "kept", "default"] as const;
/** Where a value came from. */
export type SettingOrigin = (typeof origins)[number];

const StartSetting = Type.Object({
  name: OneOf(startOptions),
  value: Nullable(Type.String({ description: "Null: nothing was given, and nothing is needed" })),
  from: OneOf(origins, "kept: by service.set, in the data folder"),
});
export type StartSetting = Static<typeof StartSetting>;

export const dataParts = ["worlds", "pictures", "snapshots", "log", "service"] as const;
const Bytes = Type.Integer({ minimum: 0 });
const DataFolder = Type.Object({
  path: Nullable(Type.String({ description: "Null: nothing is kept" })),
  bytes: Bytes,
  parts: Type.Array(Type.Object({ part: OneOf(dataParts), bytes: Bytes })),
});

const Port = Type.Object({
  now: Type.Integer(),
  next_start: Nullable(Type.Integer({ description: "Null: no port is kept, the usual one is taken" })),
  fixed: Nullable(Type.String({ description: "Why no port can be kept for the next start; null: one can" })),
});
export type Port = Static<typeof Port>;

export const serviceSettings = controlOperation({
  ...base,
  id: "service.settings",
  effect: "read",
  summary: "What this service runs with, where each value came from, and what its data folder takes on disk.",
  request: inWorld({}),
  response: Type.Object({
    started_by: OneOf(startedBy),
    items: Type.Array(StartSetting),
    port: Port,
    data_folder: DataFolder,
  }),
});
export type ServiceSettings = Static<typeof serviceSettings.response>;

/** Ports below are for the system. */
export const leastPort = 1024;

export const serviceSet = controlOperation({
  ...base,
  id: "service.set",
  effect: "write",
  summary:
    "Keeps a port for the next start of the desktop app or of browser mode; an option or a variable goes before it.",
  errors: ["unauthorized", "bad_request", "unprocessable"],
  request: inWorld({
    port: Nullable(
      Type.Integer({ minimum: leastPort, maximum: 65_535, description: "Null: the usual one again, which is 4026" }),
    ),
  }),
  response: Port,
});

const LogLine = Type.Object({
  time: Timestamp("Real time"),
  level: OneOf(["info", "error"]),
  message: Type.String(),
  detail: Nullable(Type.String({ description: "What belongs to it, for an error where it came from" })),
});
export type LogLine = Static<typeof LogLine>;

export const serviceLog = controlOperation({
  ...base,
  id: "service.log",
  effect: "read",
  summary: "The last lines of the service's log, newest first, those of earlier starts included.",
  request: inWorld({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })) }),
  response: Type.Object({
    ...Items(LogLine).properties,
    file: Nullable(Type.String({ description: "Where the log is kept; null: nothing is kept" })),
  }),
});

/** What must be typed to erase everything. */
export const eraseWord = "erase everything";
export const serviceErase = controlOperation({
  ...base,
  id: "service.erase",
  effect: "write",
  summary:
    "Erases every world with its pictures, every snapshot and checkpoint, the scenarios that were saved, and the log. The service goes on with a fresh world default and the same control token. There is no way back.",
  request: inWorld({ confirm: OneOf([eraseWord], "So that nobody erases by mistake") }),
  response: Type.Object({
    worlds: Type.Integer({ minimum: 0, description: "How many are gone, the default's earlier content included" }),
    snapshots: Type.Integer({ minimum: 0, description: "How many are gone, checkpoints included" }),
    scenarios: Type.Integer({ minimum: 0, description: "How many saved ones are gone" }),
    left: Type.Array(
      Type.String({ description: "A world whose file another version wrote: such a file is never touched" }),
    ),
  }),
});

export const serviceOperations = [serviceSettings, serviceSet, serviceLog, serviceErase] as const;
