import type { Credential } from "../../../../sandbox/contract/control/rows.ts";
import { nearestNames } from "../../../../sandbox/contract/nearest-names.ts";
import { sentHeaders } from "../../../lib/curl.ts";
import type { ImportedCall, LeftOut } from "./imported.ts";

/** An operation that a call can reach. */
export interface Reachable {
  readonly id: string;
  readonly method: string;
  /** `{name}` stands for one segment. */
  readonly path: string;
  /** Whether it takes the control token, which the window has, in place of a credential. */
  readonly takesToken: boolean;
  /** What it takes in its path and its query, by name. */
  readonly parameters: readonly string[];
}

/** A key of this world. */
type KnownKey = Pick<Credential, "integration_id" | "organization_name" | "api_key">;

/**
 * Whom an imported call is made as; `unknown`: its key is none of this world's, or not of the integration that it names,
 * which a person has to say or confirm.
 */
type ImportedActor =
  | { readonly kind: "credential"; readonly integration_id: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly named: string | null };

interface Around {
  readonly operations: readonly Reachable[];
  readonly keys: readonly KnownKey[];
  /** The window's world. */
  readonly here: string;
  /** Where the service listens. */
  readonly origin: string;
}

const urlOf = (url: string, origin: string): URL | null => {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith("/") ? url : `http://${url}`;
  try {
    return new URL(whole, origin);
  } catch {
    return null;
  }
};

/** What stands at the begin of an address for where the service is: `$BASE`, `{{base}}`, `$env:BASE`, `%BASE%`. */
const BASE = /^(?:https?:\/\/)?(\$\{[^}]*\}|\$\([^)]*\)|\$[\w:]+|\{\{[^{}]*\}\}|%\w+%)(?=\/)/;

/** What the segments of a path are in an operation's; null where it is another path. */
const valuesIn = (template: string, path: string): Record<string, string> | null => {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const value = given[index] ?? "";
    if (name === undefined && segment !== value) return null;
    if (name === undefined) continue;
    try {
      values[name] = decodeURIComponent(value);
    } catch {
      values[name] = value;
    }
  }
  return values;
};

/** Headers a page may not set; the browser says them itself, or never. */
const ofBrowser = new Set(["cookie", "date", "dnt", "expect", "trailer", "upgrade", "via"]);
const STANDS_FOR_A_KEY = /••|\$|\{\{|%\w+%/;

/** With the key of another integration the call would be another one. */
const hasKeyOf = (authorization: string, { api_key }: KnownKey): boolean => {
  const key = /^Bearer\s+(\S+)$/i.exec(authorization.trim())?.[1];
  return key !== undefined && (api_key === key || STANDS_FOR_A_KEY.test(key));
};

const isBasic = (authorization: string): boolean => /^Basic\s/i.test(authorization);
const BASIC =
  "Basic authentication (-u in cURL) isn’t supported. The service expects Authorization: Bearer <API_KEY>. Choose a key to send with.";

const sizeOf = (text: string): string => {
  const bytes = new TextEncoder().encode(text).length;
  return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
};

/** An imported call as the Console of this window can make it. No key of it is kept: it is one of this world's, or dropped. */
export const recognised = (call: ImportedCall, { operations, keys, here, origin }: Around) => {
  const understood: [what: string, became: string][] = [];
  const settled: string[] = [];
  const more: LeftOut[] = [];
  const leave = (what: string, why: string): void => void more.push({ what, why });

  const [begin = "", base] = BASE.exec(call.url) ?? [];
  const url = urlOf(call.url.slice(begin.length), origin);
  if (base !== undefined) {
    understood.push([base, `this service, ${origin}`]);
    settled.push(base);
  }
  const path = url?.pathname ?? call.url;
  const reached = operations.flatMap((one) => {
    const values = valuesIn(one.path, path);
    return values ? [{ one, values }] : [];
  });
  const found = reached.find(({ one }) => one.method === call.method) ?? reached[0] ?? null;
  const operation = found?.one ?? null;
  const byPath = new Map(operations.map((one) => [one.path, one]));
  const nearest = operation ? [] : nearestNames(path, [...byPath.keys()]).flatMap((one) => byPath.get(one) ?? []);
  if (operation) understood.push([`${call.method} ${path}`, operation.id]);
  if (url && url.origin !== origin) leave(url.origin, `It is sent to this service, ${origin}.`);
  if (operation && operation.method !== call.method) leave(call.method, `The operation requires ${operation.method}.`);

  const parameters: Record<string, string> = { ...found?.values };
  for (const [name, value] of url?.searchParams ?? []) {
    if (operation?.parameters.includes(name)) parameters[name] = value;
    else leave(`?${name}=${value}`, "The operation has no such query parameter.");
  }

  const given = call.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const headerOf = (name: string): string | undefined => given.find(([one]) => one === name)?.[1];
  const sendable = sentHeaders({ ...call, path, request_headers: given, request_body: call.body });
  const kept = sendable.filter(([name]) => !ofBrowser.has(name));
  const dropped = given.map(([name]) => name).filter((name) => !kept.some(([one]) => one === name));
  if (dropped.length > 0)
    leave([...new Set(dropped)].join(", "), "The browser sets these headers itself or doesn’t allow them.");

  const authorization = headerOf("authorization");
  const integration = headerOf("service-integration-id") ?? "";
  const named = keys.find(({ integration_id }) => integration_id === integration.trim().toLowerCase());
  let actor = { kind: "none" } as ImportedActor;
  if (operation?.takesToken) {
    if (authorization !== undefined) leave("authorization", "This window’s own control token is sent.");
  } else if (named && authorization !== undefined && hasKeyOf(authorization, named)) {
    actor = { kind: "credential", integration_id: named.integration_id };
    const stands = STANDS_FOR_A_KEY.test(authorization) ? ", with its key in this world" : "";
    understood.push(["authorization, service-integration-id", `as ${named.organization_name}${stands}`]);
    settled.push(authorization.replace(/^\w+\s+/, "").trim());
  } else if (named) {
    actor = { kind: "unknown", named: named.integration_id };
    understood.push(["service-integration-id", `of ${named.organization_name}`]);
    leave(
      "authorization",
      authorization === undefined
        ? "The call contains no key."
        : isBasic(authorization)
          ? BASIC
          : "The key doesn’t belong to this integration, so it is dropped.",
    );
  } else if (authorization !== undefined || integration !== "") {
    actor = { kind: "unknown", named: null };
    leave(
      "authorization",
      authorization !== undefined && isBasic(authorization)
        ? BASIC
        : "The key doesn’t belong to this world, so it is dropped. Choose a key to send with.",
    );
  }

  const world = headerOf("x-sandbox-tenant");
  if (world !== undefined) understood.push(["x-sandbox-tenant", world === here ? `${world}, this world` : world]);
  const special = new Set(["authorization", "service-integration-id", "x-sandbox-tenant"]);
  const headers = kept.filter(
    ([name, value]) => !special.has(name) && !(name === "content-type" && /^application\/json$/i.test(value.trim())),
  );
  for (const [name, value] of headers) understood.push([`${name}: ${value}`, "custom header"]);
  if (call.body !== "") understood.push(["body", sizeOf(call.body)]);
  return {
    /** Null: it reaches none, but may mean one of `nearest`. */
    operation,
    nearest,
    ...{ parameters, actor, headers },
    /** What of the text is in it, each with what it became. */
    understood,
    leftOut: [...call.leftOut.filter(({ what }) => !settled.includes(what)), ...more],
    /** Another world than `here`. */
    tenant: world === undefined || world === here ? null : world,
    body: call.body,
  };
};

/** An imported call as the Console can take it. */
export type Recognised = ReturnType<typeof recognised>;
