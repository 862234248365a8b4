import { controlOperations } from "../contract/control/all-operations.ts";
import { subscriptionsDelete } from "../contract/control/operations.ts";
import { INTERFACE_VERSION, type Operation, operationPath } from "../contract/operation.ts";
import {
  businessesList,
  integrationsInsert,
  jobsGet,
  jobsInsert,
  partnerOperations,
  partsInsert,
  procurementsCancel,
  supplierProcurementsGet,
} from "../contract/operations/partner.ts";
import { decodePercents } from "./likely-mistakes.ts";

/** Address that a call to no operation likely meant, with the reason and what to do. */
export interface MeantAddress {
  readonly address: string;
  readonly fact: string;
  readonly remedy: string;
}

const CONSENT_PATH = "/__oauth/authorize";
/** Method of an address that calls mean. */
export const methodOf = (address = ""): "GET" | "POST" | "PUT" => {
  if (/^\/__(?:oauth|media)\//.test(address)) return "GET";
  return address.startsWith("/__uploads/") ? "PUT" : "POST";
};
/** Operations that programs look for, by the names that other services give them. */
const foreign: readonly (readonly [pattern: RegExp, address: string, fact: string, remedy: string])[] = [
  [
    /^(?:api\.)?(?:(?:__)?oauth2?\.)?(?:access_)?token$/,
    operationPath(integrationsInsert),
    "The service has no token endpoint: `integrations.insert` exchanges the code for a key.",
    `Send \`client_id\`, \`client_secret\` and \`access_code\` as JSON to \`${operationPath(integrationsInsert)}\`. \`access_code\` takes the \`code\` of the redirect.`,
  ],
  [
    /^(?:api\.)?oauth2?\.authorize$/,
    CONSENT_PATH,
    "The consent page has another address.",
    `Open \`${CONSENT_PATH}\` with the same parameters.`,
  ],
  [
    /^(?:repairer\.)?jobs?\.(?:update|upsert|patch|put|edit|save|modify)$/,
    operationPath(jobsInsert),
    "`repairer.jobs.insert` also updates a job, with `if_`. No other operation does.",
    `Send the job’s \`identity\`, its \`repairer_site_id\` and the changed fields to \`${operationPath(jobsInsert)}\`, with \`if_\` as \`{"exists":"update"}\`.`,
  ],
  [
    /^(?:repairer\.)?jobs?\.parts?\.(?:update|upsert|patch|put|edit|save|modify)$/,
    operationPath(partsInsert),
    "`repairer.jobs.parts.insert` also updates a part that its `identity` names. No other operation does.",
    `Send the part with its \`identity\` to \`${operationPath(partsInsert)}\`.`,
  ],
  [
    /^(?:repairer\.)?jobs?\.parts?\.(?:delete|remove)$/,
    operationPath(partsInsert),
    "No operation deletes a part.",
    `Send the part with its \`identity\` and \`quantity\` 0 to \`${operationPath(partsInsert)}\`: no supplier offers it then.`,
  ],
  [
    /^(?:repairer\.)?jobs?\.(?:list|all|search|find|query)$/,
    operationPath(jobsGet),
    "No operation lists jobs.",
    `Keep the IDs of the jobs that your program inserts, and read each with \`${operationPath(jobsGet)}\`.`,
  ],
  [
    /^supplier\.(?:procurements?|orders?)\.(?:list|all|search|find|query)$/,
    operationPath(supplierProcurementsGet),
    "No operation lists a supplier’s orders.",
    `Keep the order IDs of the notifications, and read each with \`${operationPath(supplierProcurementsGet)}\`.`,
  ],
  [
    /^(?:repairer|supplier)\.(?:procurements?|orders?)\.(?:cancel|reject|decline|delete|remove)$/,
    operationPath(procurementsCancel),
    "Both sides cancel an order with `procurements.cancel`, an extension of this sandbox outside the contract.",
    `Send the call to \`${operationPath(procurementsCancel)}\`. A program for the real service can’t rely on it.`,
  ],
  [
    /^(?:__)?(?:webhooks?|subscriptions?)(?:\.subscriptions?)?\.(?:unsubscribe|delete|remove|unregister)$/,
    operationPath(subscriptionsDelete),
    "No operation of partners deletes a subscription.",
    `Delete it in the explorer, under Webhooks, or with \`${operationPath(subscriptionsDelete)}\` and the control token.`,
  ],
  [
    /^(?:webhooks?|subscriptions?)(?:\.subscriptions?)?\.(?:subscribe|insert|create|add|register)$/,
    "/__webhooks/subscribe",
    "Subscriptions are created at an address of this sandbox, outside the contract.",
    "Send `integration_id` and `url` as JSON to `/__webhooks/subscribe`.",
  ],
];

/** The look-behind keeps it linear: only the first of many slashes begins a match. */
const SLASHES_AT_END = /(?<!\/)\/+$/;
const BASE = /^(?:api|__extensions)(?:\/(v?\d[\d.-]*))?\//i;

/** Name of the operation in a path, in whatever way it is written. */
const readName = (path: string): string => {
  let rest = path.replaceAll(/\/{2,}/g, "/").replace(/^\//, "");
  while (BASE.test(rest)) rest = rest.replace(BASE, "");
  return rest
    .replace(SLASHES_AT_END, "")
    .replace(/\.(?:json|xml|php)$/i, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1.$2")
    .replaceAll("/", ".")
    .toLowerCase();
};

/** Difference between a path and the address of the operation that it names; null for others. */
const describeSpelling = (path: string, operation: Operation): string | null => {
  const address = operationPath(operation);
  const [, surface, version] = address.split("/");
  const base = `/${surface}/${version}`;
  if (path.indexOf(base, 1) > 0 && path.startsWith(base)) return `The address has \`${base}\` twice.`;
  if (surface === "__extensions" && path.startsWith("/api/"))
    return `\`${operation.id}\` is an extension of this sandbox, outside the contract. Its address begins with \`/__extensions/\`.`;
  if (surface === "api" && path.startsWith("/__extensions/"))
    return `\`${operation.id}\` is an operation of the contract. Its address begins with \`/api/\`.`;
  if (!path.includes(`/${version}/`)) return `The address has no version: \`${version}\` is missing.`;
  const decoded = decodePercents(path);
  if (decoded !== address && decoded.trim() === address) return "The address ends with a space or a line break.";
  if (path.toLowerCase() === address) return "The address has upper-case letters. It is in lower case.";
  if (path.replace(SLASHES_AT_END, "") === address) return "The address ends with a slash.";
  if (path.replaceAll(/\/{2,}/g, "/") === address) return "The address has two slashes in a row.";
  const rest = path.slice(path.indexOf(`/${version}/`) + `/${version}/`.length);
  const [again = ""] = /^(?:api|__extensions)(?=\/)/.exec(rest) ?? [];
  if (again !== "") return `The address has \`${again}\` twice.`;
  return rest.includes("/") ? `The name of an operation is written with dots: \`${operation.id}\`.` : null;
};

/** Explains an operation's address with something before it, or without its beginning; null for others. */
const findAround = (path: string): MeantAddress | null => {
  for (const operation of partnerOperations) {
    const address = operationPath(operation);
    const [, surface = "", version = ""] = address.split("/");
    const remedy = `Send the call to \`${address}\`.`;
    const before = path.endsWith(address) ? path.slice(0, -address.length) : "";
    if (/[^/]/.test(before) && !before.includes(`/${version}`))
      return {
        address,
        fact: `The address has \`${before.slice(0, MAX_SHOWN_CHARS)}\` before \`/${surface}\`.`,
        remedy: `${remedy} A base URL or a proxy likely adds the rest.`,
      };
    if (`/${surface}${path}` === address)
      return { address, fact: `\`/${surface}\` is missing from the address.`, remedy };
  }
  return null;
};
const MAX_SHOWN_CHARS = 80;

/** Finds the address that a call to no operation meant; null if its path names none. */
export const findMeantAddress = (url: string): MeantAddress | null => {
  const [path = ""] = url.split("?", 1);
  const [, within] = /^\/https?:\/+[^/]+(\/.*)/i.exec(path) ?? [];
  if (within !== undefined)
    return {
      address: within,
      fact: "The address holds a whole URL after the host.",
      remedy: `Send the call to \`${within}\`. The base URL of your program likely has the host already.`,
    };
  if (/^\/(?:api|__extensions)(?:\/v?\d[\d.-]*)?\/?$/.test(path))
    return {
      address: operationPath(businessesList),
      fact: "The name of the operation is missing from the address.",
      remedy: `Add the name, as in \`${operationPath(businessesList)}\`.`,
    };
  const around = findAround(path);
  if (around !== null) return around;
  const name = readName(decodePercents(path).trim());
  const operation = partnerOperations.find(({ id }) => id === name);
  const ofControl = controlOperations.find(({ id }) => id === name);
  if (!operation && ofControl) {
    const address = operationPath(ofControl);
    const fact = `\`${ofControl.id}\` is an operation of the control plane, outside the contract.`;
    return { address, fact, remedy: `Send the call to \`${address}\`, with the control token in place of an API key.` };
  }
  if (!operation) {
    const known = foreign.find(([pattern]) => pattern.test(name));
    if (!known) return findUnderscored(path) ?? findUpload(path);
    const [, address, fact, remedy] = known;
    return { address, fact, remedy };
  }
  const address = operationPath(operation);
  const fact = describeSpelling(path, operation);
  if (fact === null) return null;
  const isExtension = address.startsWith("/__extensions/") && path.startsWith("/api/");
  const remedy = isExtension
    ? `Send the call to \`${address}\`. A program for the real service can’t rely on it.`
    : `Send the call to \`${address}\`.`;
  return { address, fact, remedy };
};

const WHOLE_UPLOAD_URL = "Send the picture to the whole `upload_url` that `uploads.prepare` returned, unchanged.";
/** Explains an address of the sandbox without its underscores; null for others. */
const findUnderscored = (path: string): MeantAddress | null => {
  const [, one, name] = /^\/(_?)(oauth|uploads|media|extensions|sandbox|webhooks)\/./.exec(path) ?? [];
  if (name === undefined) return null;
  const address = `/__${path.slice(one ? 2 : 1)}`;
  return {
    address,
    fact: `${one ? "One underscore is" : "Two underscores are"} missing from the address: it begins with \`/__${name}/\`.`,
    remedy: name === "uploads" ? WHOLE_UPLOAD_URL : `Send the call to \`${address.slice(0, MAX_SHOWN_CHARS)}\`.`,
  };
};

/** Explains an upload's address without its ID, or with something behind it; null for others. */
const findUpload = (path: string): MeantAddress | null => {
  const [, id, rest = ""] = /^\/__uploads(?:\/([^/]*))?(\/.*)?$/.exec(path) ?? [];
  if (!path.startsWith("/__uploads") || (id && rest === "")) return null;
  const fact = id
    ? `The address has \`${rest.slice(0, MAX_SHOWN_CHARS)}\` behind the upload’s ID.`
    : "The address has no upload’s ID: its end is missing.";
  return { address: `/__uploads/${id ?? ""}`, fact, remedy: WHOLE_UPLOAD_URL };
};

const ID_SEGMENT = /\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\/|$)/i;
/** Checks for an ID in a path, as REST APIs have it. */
export const hasIdInPath = (url: string): boolean => ID_SEGMENT.test(url.split("?", 1)[0] ?? "");

/** Version in a path, if it isn't the service's. */
export const findOtherVersion = (url: string): string | null => {
  const [, version = INTERFACE_VERSION] = /^\/(?:api|__extensions)\/(v?\d[\d._-]*)\//.exec(url) ?? [];
  return version === INTERFACE_VERSION ? null : version;
};
