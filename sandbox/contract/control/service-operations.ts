import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, Nullable, OneOf, Timestamp } from "../schema.ts";
import { orUnprocessable, read, write } from "./declaring.ts";

export const startedBy = ["desktop", "command"] as const;
export type StartedBy = (typeof startedBy)[number];

const StartSetting = Type.Object({
  option: Type.String({
    description: "The command’s option, such as `--idle-reset`; its variable is SANDBOX_IDLE_RESET",
  }),
  name: Type.String({ description: "A label to display" }),
  value: Nullable(Type.String({ description: "null: not set, and not needed" })),
});
export type StartSetting = Static<typeof StartSetting>;

const Count = Type.Integer({ minimum: 0 });

const Port = Type.Object({
  now: Type.Integer(),
  next_start: Nullable(Type.Integer({ description: "null: no saved port, the default is used" })),
  fixed: Type.Boolean({ description: "True: the port was set at the start, so none can be saved" }),
});
export type Port = Static<typeof Port>;

export const serviceSettings = read(
  "service.settings",
  "The service’s settings and the size of its data folder.",
  {},
  Type.Object({
    started_by: OneOf(startedBy),
    items: Type.Array(StartSetting),
    port: Port,
    data_folder: Type.Object({
      path: Nullable(Type.String({ description: "null: nothing is kept" })),
      bytes: Count,
    }),
  }),
);
export type ServiceSettings = Static<typeof serviceSettings.response>;

/** Ports below are for the system. */
const LEAST_PORT = 1024;

export const serviceSet = write(
  "service.set",
  "Saves a port for the next start of the desktop app or browser mode. Options and variables take precedence.",
  {
    port: Nullable(
      Type.Integer({ minimum: LEAST_PORT, maximum: 65_535, description: "null: back to the default, 4026" }),
    ),
  },
  Port,
  orUnprocessable,
);

const LogLine = Type.Object({
  time: Timestamp("Real time"),
  level: OneOf(["info", "error"]),
  message: Type.String(),
  detail: Nullable(Type.String({ description: "Details; for an error its stack" })),
});
export type LogLine = Static<typeof LogLine>;

export const serviceLog = read(
  "service.log",
  "The latest lines of the service’s log, newest first, across restarts.",
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })) },
  Type.Object({
    ...Items(LogLine).properties,
    file: Nullable(Type.String({ description: "The log’s folder; null: nothing is kept" })),
  }),
);

export const serviceErase = write(
  "service.erase",
  'Erases all worlds with their pictures, all snapshots and checkpoints, saved scenarios and the log. The service continues with a new world "default". Its control token changes at the next start. This can\'t be undone.',
  { confirm: OneOf(["erase everything"], "Confirms the intent") },
  Type.Object({
    worlds: Type.Integer({ minimum: 0, description: "Number of erased worlds, the previous default included" }),
    snapshots: Type.Integer({ minimum: 0, description: "Number of erased snapshots, checkpoints included" }),
    scenarios: Type.Integer({ minimum: 0, description: "Number of erased scenarios" }),
    left: Type.Array(Type.String({ description: "A world written by another version; its file is never touched" })),
  }),
);

export const serviceOperations = [serviceSettings, serviceSet, serviceLog, serviceErase] as const;
