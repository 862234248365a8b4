import { type PartnerCall, partnerCalls, partnerPath } from "../../../../sandbox/contract/operations/partner-calls.ts";
import type { CallStep, Scenario, Step } from "../../../../sandbox/contract/scenario.ts";
import { isObject } from "../../../lib/diff.ts";
import { parsedJson } from "../../../lib/parsed-json.ts";
import type { Imported, ImportedCall, LeftOut } from "./imported.ts";

/** A file of a partner's, as it was read. */
export interface Material {
  readonly file: string;
  readonly read: Imported | { readonly problem: string };
}

/** A scenario made of calls that a partner wrote down, and what of them is not in it. */
export interface Draft {
  /** Null: no call of it reaches an operation. */
  readonly scenario: Scenario | null;
  readonly leftOut: readonly LeftOut[];
}

type Side = "repairer" | "supplier";

const MOST_STEPS = 1_000;
const MOST_NOTES = 1_000;
const LONGEST_NOTE = 300;
/** The sandbox derives identifiers of its seed from names, in this version: they are the same in every fresh world. */
const OF_NAMES = /^[0-9a-f]{8}-[0-9a-f]{4}-5/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What the service mints begins so (D20). */
const SECRET = /(?:isk|sbx|pwh|ac)_[\w•-]{6,}/g;
const SUBSCRIBE = "/__webhooks/subscribe";
const INSTALL: PartnerCall = "integrations.insert";

const operations = new Map(
  (Object.keys(partnerCalls) as PartnerCall[]).map((id): [string, PartnerCall] => [partnerPath(id), id]),
);

const pathOf = (url: string): string => {
  const [path = ""] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/);
  return path.startsWith("/") ? path : `/${path.split("/").slice(1).join("/")}`;
};

const headerOf = ({ headers }: ImportedCall, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

const sideOf = (operation: PartnerCall | undefined): Side | null => {
  if (operation?.startsWith("repairer.")) return "repairer";
  return operation?.startsWith("supplier.") ? "supplier" : null;
};

/** Which side each integration is, by what it called. */
const sidesIn = (calls: readonly ImportedCall[]): ReadonlyMap<string, Side> => {
  const sides = new Map<string, Side>();
  for (const call of calls) {
    const side = sideOf(operations.get(pathOf(call.url)));
    const integration = headerOf(call, "service-integration-id")?.toLowerCase();
    // The first call says it: a refused one of the wrong side would say otherwise later.
    if (side && integration !== undefined && !sides.has(integration)) sides.set(integration, side);
  }
  return sides;
};

/** Names of members and headers whose values are nobody's business. */
const SECRET_NAME = /secret|token|password|api[_-]?key|access[_-]?code|authorization|cookie/i;
/** A shorter value is a word that stands everywhere. */
const SHORTEST_SECRET = 6;

/** Values under names of secrets, the parts of credentials one by one. */
function* secretsUnder(value: unknown, isSecret: boolean, left: number): Generator<string> {
  if (typeof value === "string") {
    if (isSecret) yield* value.split(/\s+/).filter((one) => one.length >= SHORTEST_SECRET && one !== "Bearer");
    return;
  }
  if (typeof value !== "object" || value === null || left === 0) return;
  for (const [key, one] of Object.entries(value)) yield* secretsUnder(one, isSecret || SECRET_NAME.test(key), left - 1);
}

/** What the material itself shows to be secret, the longest first: one may be a part of another. */
const secretsIn = (calls: readonly ImportedCall[]): readonly string[] => {
  const found = calls.flatMap(({ headers, body }) => [
    ...headers.flatMap(([name, value]) => [...secretsUnder(value, SECRET_NAME.test(name), 1)]),
    ...secretsUnder(parsedJson(body), false, DEEPEST),
  ]);
  return [...new Set(found)].toSorted((one, other) => other.length - one.length);
};

/** So deep an answer is looked into for identifiers. */
const DEEPEST = 12;

/** So deep a body is written as JSON. */
const DEEPEST_BODY = 100;

const isDeep = (value: unknown, left: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)));

/** What is not taken over, and how it is called where that is kept: what stands in a file may be secret. */
interface Left extends LeftOut {
  readonly kept: string;
}
const leftIn =
  (file: string) =>
  (one: LeftOut): Left => ({ ...one, kept: file });

/** Draws steps one by one, and remembers where identifiers came from. */
class Drafting {
  readonly steps: Step[] = [];
  readonly leftOut: Left[] = [];
  readonly #sides: ReadonlyMap<string, Side>;
  /** Identifiers that earlier answers gave out, with where they stand. */
  readonly #given = new Map<string, { readonly step: CallStep; readonly name: string; readonly path: string }>();
  readonly #unknown = new Set<string>();
  readonly #secrets: readonly string[];
  #codes = 0;

  constructor(calls: readonly ImportedCall[]) {
    this.#sides = sidesIn(calls);
    this.#secrets = secretsIn(calls.slice(0, MOST_STEPS));
  }

  /** A text without what is secret, as the material shows it or as the service mints it. */
  #masked(text: string): string {
    let plain = text;
    for (const secret of this.#secrets) plain = plain.replaceAll(secret, "masked");
    return plain.replaceAll(SECRET, "masked");
  }

  #leave(what: string, why: string): void {
    this.leftOut.push({ what, why, kept: this.#masked(what) });
  }

  /** A text of the partner's: identifiers of earlier answers become references, secrets go. */
  #text(text: string): string {
    const given = this.#given.get(text.toLowerCase());
    if (given) {
      given.step.save = given.name;
      return `{{${given.name}.${given.path}}}`;
    }
    if (UUID.test(text) && !OF_NAMES.test(text)) this.#unknown.add(text.toLowerCase());
    const plain = this.#masked(text);
    if (plain !== text) this.#leave("a key, code or secret", "Masked. A draft contains no secrets.");
    if (!plain.includes("{{")) return plain;
    this.#leave(plain, "A placeholder for a value that isn’t in the file.");
    return plain.replaceAll(/\{(?=\{)/g, "{ ");
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((one) => this.#value(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [this.#masked(key), this.#value(one)]));
  }

  /** Remembers the identifiers of an answer; the first place of each. */
  #remember(step: CallStep, answer: unknown, path: readonly string[] = []): void {
    if (typeof answer === "string") {
      const id = answer.toLowerCase();
      const name = `answer_${this.steps.length}`;
      if (UUID.test(answer) && path.length > 0 && !this.#given.has(id))
        this.#given.set(id, { step, name, path: path.join(".") });
      return;
    }
    if (typeof answer !== "object" || answer === null || path.length > DEEPEST) return;
    for (const [key, one] of Object.entries(answer))
      if (/^[\w-]+$/.test(key)) this.#remember(step, one, [...path, key]);
  }

  #callerOf(call: ImportedCall, operation: PartnerCall): Side | "nobody" {
    if (operation === INSTALL || headerOf(call, "authorization") === undefined) return "nobody";
    const integration = headerOf(call, "service-integration-id")?.toLowerCase() ?? "";
    return this.#sides.get(integration) ?? sideOf(operation) ?? "repairer";
  }

  /** As whom it is called; a credential that was refused is refused again. */
  #credentials(call: ImportedCall, operation: PartnerCall): Pick<CallStep["call"], "as" | "headers"> {
    const caller = this.#callerOf(call, operation);
    const authorization = headerOf(call, "authorization");
    if (call.answered?.status !== 401 || authorization === undefined || caller === "nobody") return { as: caller };
    const integration = headerOf(call, "service-integration-id");
    return {
      headers: {
        authorization: this.#masked(authorization),
        ...(integration === undefined ? {} : { "service-integration-id": `{{${caller}.integration_id}}` }),
      },
    };
  }

  /** An install takes a code of its own: the one in the file was good once, elsewhere. */
  #install(call: ImportedCall): Readonly<Record<string, unknown>> | null {
    if (call.answered !== undefined && call.answered.status !== 200) {
      this.#leave(
        `${call.method} ${pathOf(call.url)}`,
        `The response was ${call.answered.status}. A draft can only use a valid code.`,
      );
      return null;
    }
    this.#codes += 1;
    const save = `code_${this.#codes}`;
    const body = {
      client_id: "{{client.client_id}}",
      organization_id: "{{repairer.organization_id}}",
      scope: "repairer",
    };
    this.steps.push({ name: "Issue an access code", save, control: { operation: "access-codes.issue", body } });
    return {
      client_id: "{{client.client_id}}",
      client_secret: "{{client.client_secret}}",
      access_code: `{{${save}.access_code}}`,
    };
  }

  #subscribe(call: ImportedCall): void {
    const body = parsedJson(call.body);
    const id = isObject(body) && typeof body.integration_id === "string" ? body.integration_id.toLowerCase() : "";
    const side = this.#sides.get(id) ?? "repairer";
    this.steps.push({
      name: `The ${side === "repairer" ? "buyer" : "supplier"} listens`,
      receiver: { integration_id: `{{${side}.integration_id}}` },
    });
    this.#leave(SUBSCRIBE, "A built-in receiver replaces the subscribed URL.");
  }

  /** Adds a call as a step, or what takes its place; what is not understood is listed. */
  add(call: ImportedCall, { file, isNamed }: { readonly file: string; readonly isNamed: boolean }): void {
    const path = pathOf(call.url);
    const shown = `${call.method} ${path}`;
    const operation = operations.get(path);
    this.leftOut.push(...call.leftOut.map(leftIn(file)));
    if (path === SUBSCRIBE) {
      this.#subscribe(call);
      return;
    }
    if (operation === undefined || call.method !== "POST") {
      this.#leave(shown, operation === undefined ? "No operation has this path." : `${operation} requires POST.`);
      return;
    }
    const installed = operation === INSTALL ? this.#install(call) : undefined;
    if (installed === null) return;
    const json = parsedJson(call.body);
    if (isDeep(json, DEEPEST_BODY)) {
      this.#leave(shown, `The body is nested deeper than ${DEEPEST_BODY} levels.`);
      return;
    }
    const body = installed ?? (isObject(json) ? this.#value(json) : undefined);
    const text = call.body === "" ? {} : { text: this.#text(call.body) };
    const { answered } = call;
    const answer = answered && parsedJson(answered.body);
    if (answered && answered.status >= 500)
      this.#leave(
        shown,
        `The step expects ${answered.status}, because that was the response. The sandbox only returns it with a fault, so edit the expected status.`,
      );
    const type = isObject(answer) && typeof answer.type === "string" && answered?.status !== 200 ? answer.type : null;
    const step: CallStep = {
      ...(isNamed && call.name !== "" ? { name: this.#text(call.name.slice(0, 200)) } : {}),
      call: {
        operation,
        ...this.#credentials(call, operation),
        ...(body === undefined ? text : { body }),
      },
      ...(answered === undefined
        ? {}
        : { expect: { status: answered.status, ...(type === null ? {} : { body: { type } }) } }),
    };
    this.steps.push(step);
    this.#remember(step, answer);
  }

  /** What is known once all calls are there. */
  end(): void {
    const { size } = this.#unknown;
    if (size > 0)
      this.#leave(
        `${[...this.#unknown].slice(0, 3).join(", ")}${size > 3 ? ` and ${size - 3} more` : ""}`,
        "This ID isn’t in the seed data; expect 404.",
      );
  }
}

/** How often the same was left out is said once. */
const counted = (leftOut: readonly LeftOut[]): LeftOut[] => {
  const times = new Map<string, { readonly one: LeftOut; count: number }>();
  for (const one of leftOut) {
    const key = JSON.stringify([one.what, one.why]);
    const known = times.get(key);
    if (known) known.count += 1;
    else times.set(key, { one, count: 1 });
  }
  return [...times.values()].map(({ one: { what, why }, count }) => ({
    what: count === 1 ? what : `${what} (${count} times)`,
    why,
  }));
};

/**
 * A scenario draft of a partner's material, in the order of its files: each call with what it was answered, where the
 * file says so; credentials are those of the world it runs in. Nothing secret of the material is in it.
 */
export const draftOf = (name: string, material: readonly Material[]): Draft => {
  const files = material.toSorted((one, other) => one.file.localeCompare(other.file, undefined, { numeric: true }));
  const calls = files.flatMap(({ file, read }) =>
    "problem" in read ? [] : read.calls.map((call) => ({ call, file, isNamed: read.format !== "HAR" })),
  );
  const drafting = new Drafting(calls.map(({ call }) => call));
  for (const { file, read } of files) {
    if ("problem" in read) drafting.leftOut.push({ what: file, why: read.problem, kept: file });
    else drafting.leftOut.push(...read.leftOut.map(leftIn(file)));
  }
  let cut = 0;
  for (const { call, ...from } of calls) {
    // A call can make two steps.
    if (drafting.steps.length < MOST_STEPS - 1) drafting.add(call, from);
    else cut += 1;
  }
  const atEnd = `${cut} calls at the end`;
  if (cut > 0) drafting.leftOut.push({ what: atEnd, why: `A scenario has at most ${MOST_STEPS} steps.`, kept: atEnd });
  drafting.end();
  const { steps } = drafting;
  const leftOut = counted(drafting.leftOut);
  const notes = counted(drafting.leftOut.map(({ kept, why }) => ({ what: kept.slice(0, LONGEST_NOTE), why })))
    .slice(0, MOST_NOTES)
    .map(({ what, why }) => `${what}: ${why}`);
  if (steps.length === 0) return { scenario: null, leftOut };
  return {
    scenario: {
      scenario: 1,
      name,
      ...(notes.length === 0 ? {} : { notes }),
      about: `Drafted from ${files.map(({ file }) => file).join(", ")}`.slice(0, 500),
      steps,
    },
    leftOut,
  };
};
