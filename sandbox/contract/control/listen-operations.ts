import * as Type from "typebox";
import { Nullable, Uuid } from "../schema.ts";
import { act, writeOne } from "./declaring.ts";
import { Exchanged } from "./rows.ts";

const { response_headers, error } = Exchanged.properties;

/** What a laptop's server answered; `GET /__sandbox/listen` sent it the notification. */
export const listenAnswer = writeOne(
  "listen.answer",
  "Records what a laptop’s server answered to a notification that `sandbox listen` forwarded.",
  {
    id: Uuid("As it was forwarded"),
    response_status: Nullable(Type.Integer({ minimum: 200, maximum: 599, description: "null: no response" })),
    response_headers,
    response_body_base64: Type.String({ maxLength: 87_384, description: "The first 64 KiB at most" }),
    error,
  },
  Type.Object({ ok: Type.Boolean({ description: "false: the attempt had ended" }) }),
  act,
);

export const listenOperations = [listenAnswer] as const;
