import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Nullable, Uuid } from "../schema.ts";
import { byId, inWorld } from "./declaring.ts";

export const requestsReplay = controlOperation({
  ...byId,
  id: "requests.replay",
  effect: "write",
  summary:
    "Sends the kept bytes of an exchange again, with the integration's own key, and says where the answer differs first.",
  errors: ["unauthorized", "bad_request", "not_found", "unprocessable"],
  request: inWorld({
    id: Uuid(),
    to: Type.Optional(Type.String({ description: "The world to send it to; left out: the one it was kept in" })),
  }),
  response: Type.Object({
    id: Type.String({ description: "The new exchange" }),
    trace_id: Type.String(),
    world: Type.String(),
    status: Type.Integer({ description: "0: the connection was closed without an answer" }),
    error_code: Nullable(Type.String()),
    duration_ms: Type.Number(),
    body: Type.String({ description: "As it is kept: credentials masked" }),
    same: Type.Boolean({ description: "Whether status and body are those that were kept" }),
    difference: Nullable(
      Type.Object({
        path: Type.String({ description: "status, or the place in the body as a JSON Pointer" }),
        kept: Type.Optional(Type.Unknown({ description: "Absent: nothing was there" })),
        now: Type.Optional(Type.Unknown({ description: "Absent: nothing is there" })),
      }),
    ),
  }),
});

export const replayOperations = [requestsReplay] as const;
