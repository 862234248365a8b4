import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import { sentHeaders } from "../../domain/exchange/curl.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import type { ImportedCall } from "../../domain/exchange/import/imported.ts";

/** An operation with its address. */
type Reachable = Pick<Declared, "id" | "method" | "path" | "scope" | "parameters">;

interface Around {
  readonly operations: readonly Reachable[];
  /** The keys of this world. */
  readonly keys: readonly Pick<Credential, "integration_id" | "api_key">[];
}

/** Extracts path and query from an address with any prefix: `http://…`, `$BASE`, `{{base}}`. */
const parseTarget = (url: string): { readonly path: string; readonly query: URLSearchParams } => {
  const [whole = "", query] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/);
  const path = whole.startsWith("/") ? whole : `/${whole.split("/").slice(1).join("/")}`;
  return { path, query: new URLSearchParams(query) };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the values of a path's parameters; null when the path doesn't match. */
const matchPath = (template: string, path: string): Record<string, string> | null => {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) values[name] = decoded(given[index] ?? "");
    else if (segment !== given[index]) return null;
  }
  return values;
};

/** Headers that the browser controls, and those that the Console sets. */
const dropped = new Set([
  ...["cookie", "date", "dnt", "expect", "trailer", "upgrade", "via"],
  ...["authorization", "service-integration-id"],
]);
const STANDS_FOR_A_KEY = /••|\$|\{\{|%\w+%/;

/** Another integration's key would change the call. */
const isOwnKey = (authorization: string, { api_key }: Around["keys"][number]): boolean => {
  const key = /^Bearer\s+(\S+)$/i.exec(authorization.trim())?.[1];
  return key !== undefined && (api_key === key || STANDS_FOR_A_KEY.test(key));
};

/**
 * Converts an imported call for the Console; `operation` is null when no operation has its path. Its key is dropped:
 * the call uses a key of this world, or `actAs` is null and the person chooses.
 */
export const recognizeCall = (call: ImportedCall, { operations, keys }: Around) => {
  const { path, query } = parseTarget(call.url);
  const reached = operations.flatMap((one) => {
    const values = matchPath(one.path, path);
    return values ? [{ one, values }] : [];
  });
  const found = reached.find(({ one }) => one.method === call.method) ?? reached[0];
  const given = call.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const headerOf = (name: string): string | undefined => given.find(([one]) => one === name)?.[1];
  const authorization = headerOf("authorization");
  const integration = headerOf("service-integration-id")?.trim().toLowerCase();
  const named = keys.find(({ integration_id }) => integration_id === integration);
  const actAs = ((): ConsoleCall["actAs"] | null => {
    if (found?.one.scope === "control" || (authorization === undefined && !integration)) return { kind: "none" };
    if (!named || authorization === undefined || !isOwnKey(authorization, named)) return null;
    return { kind: "credential", integration_id: named.integration_id };
  })();
  const takes = (name: string) => found?.one.parameters.some((one) => one.in === "query" && one.name === name);
  const sendable = sentHeaders({ ...call, path, request_headers: given, request_body: call.body });
  const isUsual = (name: string, value: string) =>
    dropped.has(name) || (name === "content-type" && /^application\/json$/i.test(value.trim()));
  return {
    operation: found?.one.id ?? null,
    actAs,
    parameters: { ...found?.values, ...Object.fromEntries([...query].filter(([name]) => takes(name))) },
    headers: sendable.filter(([name, value]) => !isUsual(name, value)),
    body: call.body,
  };
};
