import fs from "node:fs";
import path from "node:path";
import { controlOperations } from "../contract/control/operations.ts";
import { WORLD_FORMAT } from "../contract/control/snapshot-rows.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import {
  type CallStep,
  type ControlStep,
  type Expectation,
  SCENARIO_FORMAT,
  Scenario,
  type Step,
} from "../contract/scenario.ts";
import { violation } from "../operations/validation.ts";
import { expectationProblem } from "../rules/scenario-match.ts";
import { referredNames } from "../rules/scenario-references.ts";
import { LARGEST_DOCUMENT_BYTES } from "../snapshots/snapshot-files.ts";
import { unknownKey } from "./unknown-key.ts";

/** A file is no scenario: what is wrong with it, in words. */
export class BadScenarioError extends Error {}

/** What every run knows before its first step. */
export const givenNames = [
  "repairer",
  "supplier",
  "client",
  "client_no_oauth",
  "credentials",
  "service",
  "run",
] as const;

const partnerIds: readonly string[] = partnerOperations.map(({ id }) => id);
const controlIds: readonly string[] = controlOperations.map(({ id }) => id);

const ofExpectation = (expect: Expectation | undefined, path: string): string | null => {
  if (!expect) return null;
  if (expect.body !== undefined && expect.exact !== undefined) return `${path}/exact must not be there beside body`;
  const { within_seconds: _, ...answer } = expect;
  if (expect.no_answer === true && Object.keys(answer).length > 1)
    return `${path}/no_answer must not be there beside what an answer must be`;
  return expectationProblem(expect.body, `${path}/body`) ?? expectationProblem(expect.headers, `${path}/headers`);
};

const ofCall = ({ call, expect }: CallStep, path: string): string | null => {
  const { operation, route, method, as, credentials, body, text, base64, headers } = call;
  if ((operation === undefined) === (route === undefined))
    return `${path}/call must have exactly one of operation, route`;
  if (operation !== undefined && !partnerIds.includes(operation))
    return `${path}/call/operation ${operation} is no operation; there are ${partnerIds.join(", ")}`;
  if (route !== undefined && !/^(\/[^\s]*|\{\{[^{}]+\}\})$/.test(route))
    return `${path}/call/route must begin with a slash, or be a reference`;
  if (operation !== undefined && method !== undefined) return `${path}/call/method must not be there beside operation`;
  if (as !== undefined && credentials !== undefined) return `${path}/call/credentials must not be there beside as`;
  const [content, another] = Object.entries({ body, text, base64 }).filter(([, value]) => value !== undefined);
  if (content && another) return `${path}/call/${another[0]} must not be there beside ${content[0]}`;
  if (content && method === "GET") return `${path}/call/${content[0]} must not be there with GET`;
  const [name] = Object.entries(headers ?? {}).find(([, value]) => typeof value !== "string") ?? [];
  if (name !== undefined) return `${path}/call/headers/${name} must be string`;
  return ofExpectation(expect, `${path}/expect`);
};

const ofControl = ({ control, expect }: ControlStep, path: string): string | null => {
  const { operation, body = {} } = control;
  if (!controlIds.includes(operation))
    return `${path}/control/operation ${operation} is no operation of the control plane; there are ${controlIds.join(", ")}`;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return `${path}/control/body must be object`;
  if ("world" in body) return `${path}/control/body/world must not be here; say world beside control`;
  return ofExpectation(expect, `${path}/expect`);
};

const ofStep = (step: Step, path: string): string | null => {
  if (step.call) return ofCall(step, path);
  if (step.control) return ofControl(step, path);
  for (const [index, { payload }] of (step.deliveries?.expect ?? []).entries()) {
    const problem = expectationProblem(payload, `${path}/deliveries/expect/${index}/payload`);
    if (problem !== null) return problem;
  }
  return null;
};

/** What no schema can say: that steps refer to earlier ones, and say one thing only. */
const ofSteps = (steps: readonly Step[]): string | null => {
  const saved = new Set<string>(givenNames);
  const receivers = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const path = `/steps/${index}`;
    const problem = ofStep(step, path);
    if (problem !== null) return problem;
    const unsaved = referredNames(step).find((name) => !saved.has(name));
    if (unsaved !== undefined)
      return `${path} refers to {{${unsaved}}}, which no earlier step saved; there are ${[...saved].join(", ")}`;
    if (step.deliveries && !receivers.has(step.deliveries.receiver))
      return `${path}/deliveries/receiver ${step.deliveries.receiver} is no earlier receiver step that was saved`;
    if (step.save !== undefined && saved.has(step.save))
      return `${path}/save ${step.save} is taken; choose another name`;
    if (step.save !== undefined) saved.add(step.save);
    if (step.receiver && step.save !== undefined) receivers.add(step.save);
  }
  return null;
};

/** @throws BadScenarioError with a sentence that names the path */
export const checkScenario = (value: unknown): Scenario => {
  if (typeof value === "object" && value !== null && "format" in value && value.format === WORLD_FORMAT)
    throw new BadScenarioError(
      "it is an exported world; import it with snapshots.import, or put it under start of a scenario",
    );
  if (typeof value === "object" && value !== null && "scenario" in value && Number(value.scenario) > SCENARIO_FORMAT)
    throw new BadScenarioError(
      `/scenario ${value.scenario} is of a newer version of Integrations Explorer; update it, then run the file`,
    );
  const problem = violation(Scenario, value) ?? unknownKey(Scenario, value) ?? ofSteps((value as Scenario).steps);
  if (problem !== null) throw new BadScenarioError(problem);
  return value as Scenario;
};

/** @throws BadScenarioError */
const readJson = (file: string): unknown => {
  if (fs.statSync(file).size > LARGEST_DOCUMENT_BYTES)
    throw new BadScenarioError(`it is larger than ${LARGEST_DOCUMENT_BYTES / 1024 / 1024} MiB`);
  const text = fs.readFileSync(file, "utf8");
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch {
    // The parser's own words quote the file, which may hold a secret.
    throw new BadScenarioError("it is not JSON: it breaks off or goes wrong");
  }
};

/** A folder stands for the .json files in it. */
const filesOf = (name: string): string[] => {
  if (!fs.statSync(name).isDirectory()) return [name];
  const found = fs.readdirSync(name).filter((one) => one.endsWith(".json"));
  if (found.length === 0) throw new BadScenarioError("it is a folder without a .json file");
  return found.toSorted().map((one) => path.join(name, one));
};

/** @throws BadScenarioError that names the file */
const named = <T>(file: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    const why =
      error instanceof BadScenarioError
        ? error.message
        : `it cannot be read (${error instanceof Error && "code" in error ? error.code : String(error)})`;
    throw new BadScenarioError(`${file} is no scenario: ${why}`);
  }
};

export interface ReadScenario {
  readonly file: string;
  readonly scenario: Scenario;
}

/** Reads scenario or reproduction files, and those of folders. @throws BadScenarioError that names the file */
export const readScenarios = (names: readonly string[]): ReadScenario[] =>
  names
    .flatMap((name) => named(name, () => filesOf(name)))
    .map((file) => ({ file, scenario: named(file, () => checkScenario(readJson(file))) }));
