import { type ConsoleCall, calledWorld } from "../../domain/exchange/console-call.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { followed } from "../../domain/exchange/json-schema.ts";
import { isObject } from "../../lib/diff.ts";
import { withValue } from "../../lib/json-text.ts";
import { parsed } from "./json-body.ts";

/** Partner calls name the world in a header, control operations in their body. */
const namesItInBody = ({ group, request, definitions }: Declared): boolean =>
  group === "control" && request !== null && followed(request, definitions).properties?.world !== undefined;

/** Parses a body as an object; null when it isn't one, which the service refuses. */
const parseObject = (body: string): Readonly<Record<string, unknown>> | null => {
  const value = parsed(body)?.value;
  return isObject(value) ? value : null;
};

/** Adds this window's world to a body that names none, because the call would act on `default`. */
export const withWorld = (declared: Declared, body: string, world: string): string => {
  const object = namesItInBody(declared) ? parseObject(body) : null;
  if (object === null || Object.hasOwn(object, "world")) return body;
  return withValue(body, ["world"], world, ["world"]);
};

/** Returns the world that a call acts on. */
export const targetWorld = (declared: Declared, call: ConsoleCall, here: string): string => {
  if (declared.group !== "control") return calledWorld(call, here);
  const named = namesItInBody(declared) ? parseObject(call.body)?.world : undefined;
  return typeof named === "string" ? named : here;
};

/** Returns whether a call is destructive and needs a confirmation, as elsewhere. */
export const needsConfirmation = ({ id }: Pick<Declared, "id">): boolean =>
  /\.(?:reset|delete|restore|erase|revoke)$/.test(id);
