import { describe, expect, it } from "vitest";
import { extractUuid } from "../contract/explain.ts";
import { maskSecret } from "../contract/known-secrets.ts";
import { integrationsInsert } from "../contract/operations/partner.ts";
import { readParameters } from "../control/parameters-body.ts";
import { readBareKey, readIntegrationId } from "../operations/credential-causes.ts";
import { describeSimilar, withoutQuotes } from "../operations/likely-mistakes.ts";
import { findMeantAddress, hasIdInPath } from "../operations/meant-address.ts";
import { notJson } from "../operations/validation.ts";
import { findBodyMistake, findJsonMistake } from "../rules/json/json-mistake.ts";
import { rawItems, replaceFields, replaceStrings } from "../rules/json/raw-json.ts";
import { mediaName } from "../rules/media.ts";
import { catalogueEntryFor } from "../rules/procurements/catalogue.ts";
import { findInvalidPrice } from "../rules/procurements/invoice.ts";
import { isAmount } from "../rules/procurements/money.ts";
import { firstDifference } from "../rules/scenarios/first-difference.ts";
import { evaluateVehicleIdentifier } from "../rules/vehicles/vehicle-identifiers.ts";
import { refuseDeployedUrl, refuseLocalUrl } from "../rules/webhooks/webhook-url.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import {
  createRedactor,
  listSecretParameters,
  maskAddress,
  maskBody,
  maskHeader,
  maskParameters,
  maskSecretBody,
  redactBytes,
} from "../secrets/masking.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { findEscapedWorld } from "./link-calls.ts";

type Reader = (text: string) => unknown;

/** Pieces that tempt a parser to read its input repeatedly. */
const PIECES = [
  ...'? & # = % \\ " . - / : ; _ { [ 0 ￿'.split(" "),
  ...[" ", "\t", "?a", "&a=", "?key", "&key=", "&key=?", "#token=", "?=&", "token?", "%3F", "%25", "\\u0022"],
  ...[
    "ac_-",
    "isk_",
    "isk_0123456789abcdefghi ",
    "isk_0123456789abcdefghij ",
    "signature=",
    "signature=a",
    "signature=0123456789abcdefghijk ",
  ],
  ...[
    "own-secre",
    "own-secret",
    "Bearer ",
    "Bearer isk_",
    '"",',
    '"a":',
    "[{",
    "{'a': ",
    '{"secret":',
    '"secret":"',
    "a.",
    "1,",
    "A-",
  ],
];

/** Documents that are valid JSON at any length. */
const documents: readonly ((length: number) => string)[] = [
  (length) => `[${'"",'.repeat(length / 3)}""]`,
  (length) => `{"parts":[${'"",'.repeat(length / 3)}""]}`,
  (length) => `{"parts":[${"{},".repeat(length / 3)}{}]}`,
  (length) => `{"parts":[1${" ".repeat(length)},2${" ".repeat(length)}]}`,
  (length) => `{${'"secret":"",'.repeat(length / 12)}"a":1}`,
  (length) => `{${'"secret":{"a":[1]},'.repeat(length / 19)}"a":1}`,
  // Few keys, because JSON.parse itself slows down at about a thousand in one object.
  (length) => `{${`"a"${" ".repeat(44)}:1,`.repeat(length / 50)}"a":1}`,
  (length) => `{"secret":${"[".repeat(length / 2)}${"]".repeat(length / 2)}}`,
  (length) => `{"secret":"${"\\\\".repeat(length / 2)}"}`,
  (length) => `{"a":"${"\\u0022".repeat(length / 6)}"}`,
  (length) => `{"a":"${"isk_0123456789abcdefghij ".repeat(length / 25)}"}`,
];

const redactKnown = createRedactor([]);
const redactGiven = createRedactor([
  "own-secret",
  "own-secret-2",
  "own-secrets-of-somebody",
  "another one (of theirs)",
]);

const ofTexts: Readonly<Record<string, Reader>> = {
  maskParameters,
  secretParameters: listSecretParameters,
  redactKnown,
  redactGiven,
  redactedBytes: (text) => redactBytes(Buffer.from(text, "latin1"), redactGiven),
  maskAddress,
  maskAuthorization: (text) => maskHeader("authorization", text),
  maskHeader: (text) => maskHeader("x-note", text),
  maskBody,
  maskSecretBody: (text) => maskSecretBody(text, new Set(["demo"])),
  maskSecret,
  refuseLocalUrl: (text) => refuseLocalUrl(`http://127.0.0.1/${text}`),
  refuseDeployedUrl: (text) => refuseDeployedUrl(`https://${text}`),
  isWorldName,
  findJsonMistake,
  findBodyMistake: (text) => findBodyMistake(Buffer.from(text)),
  notJson: (text) => [
    notJson("text/plain", Buffer.from(text), integrationsInsert.request),
    notJson("application/x-www-form-urlencoded", Buffer.from(text.replace("/x?", "")), integrationsInsert.request),
  ],
  describeSimilar: (text) =>
    describeSimilar(text, ["isk_0123456789abcdefghij", "01a22b92-386d-4747-ac53-bbf79299c000"]),
  findEscapedWorld,
  hasIdInPath: (text) => hasIdInPath(`/api/${text.replaceAll("?", "/")}`),
  findMeantAddress: (text) => [
    findMeantAddress(`/api/2026-01/${text.replace("/x?", "")}repairer.jobs.get`),
    findMeantAddress(`/__uploads/${text.replaceAll("?", "/")}`),
  ],
  extractUuid,
  withoutQuotes: (text) => withoutQuotes(`${text}a`),
  readBareKey: (text) => [
    readBareKey(text),
    readBareKey(text.replace("/x?", "")),
    readBareKey(text.replace("/x?", ",")),
  ],
  readIntegrationId,
  readParameters: (text) => readParameters(text.replace("/x?", "")),
  mediaName,
  isAmount: (text) => isAmount(text, "GBP"),
  badPriceAt: (text) => findInvalidPrice([{ description: text, quantity: 1, unit_price: text }], "GBP"),
  catalogueEntryFor,
  evaluateVehicle: (text) => [
    evaluateVehicleIdentifier({ chassis_number: text }),
    evaluateVehicleIdentifier({ region: "GB", plate: text }),
  ],
  verifyNotification: (text) => verifyNotification({ body: Buffer.from(text), header: text, secret: "pwh_x", now: 0 }),
};

const ofDocuments: Readonly<Record<string, Reader>> = {
  ...ofTexts,
  rawItems: (text) => rawItems(text, "parts"),
  replaceFields: (text) =>
    replaceFields(
      text,
      (key) => key === "secret",
      () => '"x"',
    ),
  replaceStrings: (text) => replaceStrings(text, () => '"x"'),
};

const SHORT = 4_000;
const TIMES = 8;
/** Maximum growth of the time: linear is 8, quadratic 64. */
const MAX_GROWTH = 28;
/** A busy machine may slow single short runs, but not all of them. */
const TRIES = 6;
/** Shorter times can't be measured reliably. */
const UNMEASURABLE_MS = 0.5;

const timeOf = (read: Reader, text: string): number => {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4; run += 1) {
    const started = performance.now();
    read(text);
    best = Math.min(best, performance.now() - started);
  }
  return best;
};

const growthOf = (read: Reader, textOf: (length: number) => string): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > MAX_GROWTH; tries += 1) {
    const long = timeOf(read, textOf(SHORT * TIMES));
    if (long < UNMEASURABLE_MS) return TIMES;
    least = Math.min(least, long / Math.max(timeOf(read, textOf(SHORT)), UNMEASURABLE_MS / TIMES));
  }
  return least;
};

describe("the time of reading untrusted bytes is proportional to their length", () => {
  it.each(Object.entries(ofTexts))("%s", (_, read) => {
    // An end of another kind, because an expression for the end then fails at each piece.
    for (const piece of PIECES)
      for (const end of ["", "\n"]) {
        const textOf = (length: number): string => `/x?${piece.repeat(length / piece.length)}${end}`;
        expect(growthOf(read, textOf), JSON.stringify(piece + end)).toBeLessThan(MAX_GROWTH);
      }
  });

  it.each(Object.entries(ofDocuments))("%s, of JSON", (name, read) => {
    for (const [index, documentOf] of documents.entries()) {
      if (name === "rawItems" && !documentOf(60).includes("parts")) continue;
      expect(growthOf(read, documentOf), `document ${index}`).toBeLessThan(MAX_GROWTH);
    }
  });

  it("firstDifference", () => {
    const read: Reader = (text) => firstDifference(text.split(" "), text.replace(/.$/, "x").split(" "));
    expect(growthOf(read, (length) => "a ".repeat(length / 2))).toBeLessThan(MAX_GROWTH);
  });
});
