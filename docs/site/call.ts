import { CALL_REFERENCE } from "../../sandbox/contract/call-references.ts";
import type { ExampleCall, FirstCall } from "../../sandbox/contract/cause-examples.ts";
import { controlOperations } from "../../sandbox/contract/control/all-operations.ts";
import { fixedCredentials } from "../../sandbox/contract/demo-values.ts";
import { type Operation, operationPath } from "../../sandbox/contract/operation.ts";
import { partnerOperations } from "../../sandbox/contract/operations/partner.ts";
import { fence } from "./page.ts";

/** The address of a service that was started without options. */
const ADDRESS = "http://127.0.0.1:4026";

/** A text for the shell, with references read from the responses that were saved in variables. */
const quoted = (text: string): string => {
  const parts = text.split(CALL_REFERENCE);
  const words = parts.map((part, at): string => {
    if (at % 3 === 0) return part === "" && parts.length > 1 ? "" : `'${part.replaceAll("'", "'\\''")}'`;
    const field = part.replaceAll(/\.(\d+)/g, "[$1]");
    return at % 3 === 1 ? `"$(node -p "JSON.parse(process.argv[1]).` : `${field}" "$${parts[at - 1]}")"`;
  });
  return words.join("");
};

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

const target = (address: string): string => (/^[\w:/.-]+$/.test(address) ? address : quoted(address));

/** A body that a shell command writes. */
interface Piped {
  readonly pipe: string;
}

/** Headers, body and the rest of a command. An address that begins with a reference is whole. */
const command = (
  method: string,
  path: string,
  headers: Readonly<Record<string, unknown>>,
  body: string | Piped | null,
) =>
  [
    `${typeof body === "string" || body === null ? "" : `${body.pipe} | `}curl -sS ${method === "POST" ? "" : `-X ${method} `}${target(path.startsWith("{{") ? path : ADDRESS + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${String(value)}`)}`),
    ...(body === null ? [] : [typeof body === "string" ? `-d ${quoted(body)}` : "--data-binary @-"]),
  ].join(" \\\n  ");

const JSON_TYPE = { "content-type": "application/json" };
const ofWorld = (tenant: string | undefined) => (tenant === undefined ? {} : { "x-sandbox-tenant": tenant });

const keyHeaders = (key: (typeof fixedCredentials)["repairer" | "supplier"] | null) =>
  key ? { authorization: `Bearer ${key.api_key}`, "service-integration-id": key.integration_id } : {};

const commandOf = (called: Called, example: unknown, call: ExampleCall): string => {
  const { method = "POST", path, as, tenant, text, body, headers, pipe } = call;
  const key = keyHeaders(demoKey(called, as));
  if (path === undefined) {
    const sent = text ?? JSON.stringify(body ?? example, null, 2);
    return command(method, called.path, { ...key, ...JSON_TYPE, ...ofWorld(tenant), ...headers }, sent);
  }
  if (pipe !== undefined) return command(method, path, { ...headers }, { pipe });
  const type = method === "POST" && text === undefined ? JSON_TYPE : {};
  return command(method, path, { ...type, ...headers }, text ?? (method === "POST" ? "{}" : null));
};

const everyOperation: readonly Operation[] = [...partnerOperations, ...controlOperations];
const isControl = ({ operation }: FirstCall): boolean => controlOperations.some(({ id }) => id === operation);

const firstCommand = (first: FirstCall): string => {
  const { operation: id, world, body, save } = first;
  const operation = everyOperation.find((one) => one.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  const key = operation.scope === "none" ? null : fixedCredentials.repairer;
  const [headers, sent] = isControl(first)
    ? [{ authorization: "Bearer $TOKEN" }, { world, ...body }]
    : [{ ...keyHeaders(key), ...ofWorld(world) }, body];
  const text = command("POST", operationPath(operation), { ...headers, ...JSON_TYPE }, JSON.stringify(sent));
  const made = text.replace("Bearer $TOKEN'", `Bearer '"$TOKEN"`);
  return save === undefined ? made : `${save}=$(${made})`;
};

const READ_TOKEN = `TOKEN=$(node -p "require('./ready.json').control_token")`;

/**
 * A call as a shell command, with the keys of a local sandbox, after the calls that come first.
 *
 * @param example default body
 */
export const curl = (called: Called, example: unknown, call: ExampleCall = {}): string => {
  const { after = [], twice = false } = call;
  const last = commandOf(called, example, call);
  const lines = [
    ...(after.some(isControl) ? [READ_TOKEN] : []),
    ...after.map(firstCommand),
    ...(twice ? [last, last] : [last]),
  ];
  return fence("sh", lines.join("\n"));
};
