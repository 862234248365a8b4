import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, Nullable, OneOf, Timestamp } from "../schema.ts";
import { orUnprocessable, read, write } from "./declaring.ts";

export const startedBy = ["desktop", "command"] as const;
export type StartedBy = (typeof startedBy)[number];

const StartSetting = Type.Object({
  option: Type.String({ description: "As the command takes it: `--idle-reset`, which is SANDBOX_IDLE_RESET too" }),
  name: Type.String({ description: "For a screen" }),
  value: Nullable(Type.String({ description: "Null: nothing was given, and nothing is needed" })),
});
export type StartSetting = Static<typeof StartSetting>;

const Count = Type.Integer({ minimum: 0 });

const Port = Type.Object({
  now: Type.Integer(),
  next_start: Nullable(Type.Integer({ description: "Null: no port is kept, the usual one is taken" })),
  fixed: Type.Boolean({ description: "It was set at the start, and none can be kept for the next" }),
});
export type Port = Static<typeof Port>;

export const serviceSettings = read(
  "service.settings",
  "What this service runs with, and what its data folder takes on disk.",
  {},
  Type.Object({
    started_by: OneOf(startedBy),
    items: Type.Array(StartSetting),
    port: Port,
    data_folder: Type.Object({
      path: Nullable(Type.String({ description: "Null: nothing is kept" })),
      bytes: Count,
    }),
  }),
);
export type ServiceSettings = Static<typeof serviceSettings.response>;

/** Ports below are for the system. */
const LEAST_PORT = 1024;

export const serviceSet = write(
  "service.set",
  "Keeps a port for the next start of the desktop app or of browser mode; an option or a variable goes before it.",
  {
    port: Nullable(
      Type.Integer({ minimum: LEAST_PORT, maximum: 65_535, description: "Null: the usual one again, which is 4026" }),
    ),
  },
  Port,
  orUnprocessable,
);

const LogLine = Type.Object({
  time: Timestamp("Real time"),
  level: OneOf(["info", "error"]),
  message: Type.String(),
  detail: Nullable(Type.String({ description: "What belongs to it, for an error where it came from" })),
});
export type LogLine = Static<typeof LogLine>;

export const serviceLog = read(
  "service.log",
  "The last lines of the service's log, newest first, those of earlier starts included.",
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })) },
  Type.Object({
    ...Items(LogLine).properties,
    file: Nullable(Type.String({ description: "Where the log is kept; null: nothing is kept" })),
  }),
);

export const serviceErase = write(
  "service.erase",
  "Erases every world with its pictures, every snapshot and checkpoint, the scenarios that were saved, and the log. The service goes on with a fresh world default; its control token holds until it ends, and the next start has another. There is no way back.",
  { confirm: OneOf(["erase everything"], "So that nobody erases by mistake") },
  Type.Object({
    worlds: Type.Integer({ minimum: 0, description: "How many are gone, the default's earlier content included" }),
    snapshots: Type.Integer({ minimum: 0, description: "How many are gone, checkpoints included" }),
    scenarios: Type.Integer({ minimum: 0, description: "How many saved ones are gone" }),
    left: Type.Array(
      Type.String({ description: "A world whose file another version wrote: such a file is never touched" }),
    ),
  }),
);

export const serviceOperations = [serviceSettings, serviceSet, serviceLog, serviceErase] as const;
