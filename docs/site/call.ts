import type { ExampleCall } from "../../sandbox/contract/causes.ts";
import { fixedCredentials } from "../../sandbox/contract/demo-values.ts";
import { fence } from "./page.ts";

/** The address of a service that was started without options. */
const ADDRESS = "http://127.0.0.1:4026";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A call without its body. */
export interface Called {
  readonly path: string;
  readonly scope: "repairer" | "supplier" | "either" | "none";
}

const demoKey = ({ scope }: Called, as: ExampleCall["as"]) => {
  if (scope === "none" || as === "nobody") return null;
  const own = scope === "supplier" ? "supplier" : "repairer";
  const other = own === "supplier" ? "repairer" : "supplier";
  return fixedCredentials[as === "other_side" ? other : own];
};

/**
 * A call as a shell command, with the keys of a local sandbox.
 *
 * @param example default body
 */
export const curl = (called: Called, example: unknown, call: ExampleCall = {}): string => {
  const key = demoKey(called, call.as);
  const headers = {
    ...(key ? { authorization: `Bearer ${key.api_key}`, "service-integration-id": key.integration_id } : {}),
    "content-type": "application/json",
    ...(call.tenant === undefined ? {} : { "x-sandbox-tenant": call.tenant }),
    ...call.headers,
  };
  const lines = [
    `curl -sS ${ADDRESS}${called.path}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${String(value)}`)}`),
    `-d ${quoted(call.text ?? JSON.stringify(call.body ?? example, null, 2))}`,
  ];
  return fence("sh", lines.join(" \\\n  "));
};
