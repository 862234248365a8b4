import fs from "node:fs";
import path from "node:path";
import { controlOperations } from "../contract/control/all-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { type Finding, findUnknown, isObject } from "../contract/explain.ts";
import { pointer } from "../contract/json-pointer.ts";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import {
  type CallStep,
  type ControlStep,
  type Expectation,
  MAX_SENTENCES,
  MAX_STEPS,
  SCENARIO_FORMAT,
  Scenario,
  type Step,
} from "../contract/scenario.ts";
import { REPRODUCTION_EXTENSION } from "../contract/scenario-name.ts";
import { MAX_DOCUMENT_BYTES } from "../contract/values.ts";
import { findViolations, isTooDeep, MAX_DEPTH, toViolation, type Violation } from "../operations/validation.ts";
import { findJsonMistake } from "../rules/json/json-mistake.ts";
import { expectationProblem } from "../rules/scenarios/scenario-match.ts";
import { headersProblem, resolveRoute } from "../rules/scenarios/scenario-reach.ts";
import { referredNames } from "../rules/scenarios/scenario-references.ts";

/** A file that isn't a valid scenario; the message says why. */
export class BadScenarioError extends Error {}

/** Names that every run defines before its first step. */
const initialNames = ["repairer", "supplier", "client", "client_no_oauth", "credentials", "service", "run"];

const partnerIds: readonly string[] = partnerOperations.map(({ id }) => id);
/** D89: control operations that declare `inScenario`. */
const controlIds: readonly string[] = (controlOperations as readonly Operation[])
  .filter(({ inScenario }) => inScenario)
  .map(({ id }) => id);

const conflictWith = (path: string, other: string): Finding => ({ path, problem: `must not be there beside ${other}` });

const checkExpectation = (expect: Expectation | undefined, path: string): Finding | null => {
  if (!expect) return null;
  if (expect.body !== undefined && expect.exact !== undefined) return conflictWith(`${path}/exact`, "body");
  return expectationProblem(expect.body, `${path}/body`) ?? expectationProblem(expect.headers, `${path}/headers`);
};

/** Checks a call's target as far as possible before references are resolved. */
const checkRoute = (route: string, path: string): Finding | null => {
  if (!/^(\/[^\s]*|\{\{[^{}]+\}\})$/.test(route))
    return { path, problem: "must begin with a slash, or be a reference" };
  const anywhere = "http://service";
  const reach = { address: anywhere, baseUrl: anywhere, prepared: new Set<string>() };
  const reached = route.startsWith("/") ? resolveRoute(route, reach) : null;
  return reached && "problem" in reached ? { path, problem: reached.problem } : null;
};

const checkCall = ({ call, expect }: CallStep, path: string): Finding | null => {
  const { operation, route, method, as, credentials, body, text, base64, headers = {} } = call;
  if ((operation === undefined) === (route === undefined))
    return { path: `${path}/call`, problem: "must have exactly one of operation, route" };
  if (operation !== undefined && !partnerIds.includes(operation))
    return {
      path: `${path}/call/operation`,
      problem: `${operation} isn’t an operation. Use one of ${partnerIds.join(", ")}`,
    };
  if (operation !== undefined && method !== undefined) return conflictWith(`${path}/call/method`, "operation");
  if (as !== undefined && credentials !== undefined) return conflictWith(`${path}/call/credentials`, "as");
  const [content, another] = Object.entries({ body, text, base64 }).filter(([, value]) => value !== undefined);
  if (content && another) return conflictWith(`${path}/call/${another[0]}`, content[0]);
  if (content && method === "GET") return { path: `${path}/call/${content[0]}`, problem: "must not be there with GET" };
  const [name] = Object.entries(headers).find(([, value]) => typeof value !== "string") ?? [];
  if (name !== undefined) return { path: pointer(`${path}/call/headers`, name), problem: "must be string" };
  const misplacedHeader = headersProblem(headers);
  if (misplacedHeader !== null) return { path: `${path}/call/headers`, problem: misplacedHeader };
  return (
    (route === undefined ? null : checkRoute(route, `${path}/call/route`)) ?? checkExpectation(expect, `${path}/expect`)
  );
};

const checkControl = ({ control, expect }: ControlStep, path: string): Finding | null => {
  const { operation, body = {} } = control;
  if (!controlIds.includes(operation))
    return {
      path: `${path}/control/operation`,
      problem: `${operation} can’t be used in a scenario. Use one of ${controlIds.join(", ")}`,
    };
  if (!isObject(body)) return { path: `${path}/control/body`, problem: "must be object" };
  if ("world" in body)
    return { path: `${path}/control/body/world`, problem: "must not be here; say world beside control" };
  return checkExpectation(expect, `${path}/expect`);
};

const checkStep = (step: Step, path: string): Finding | null => {
  if (step.call) return checkCall(step, path);
  if (step.control) return checkControl(step, path);
  for (const [index, { payload }] of (step.deliveries?.expect ?? []).entries()) {
    const found = expectationProblem(payload, `${path}/deliveries/expect/${index}/payload`);
    if (found !== null) return found;
  }
  return null;
};

/** Rules beyond the schema: steps refer only to earlier ones, and do only one thing. */
const checkSteps = (steps: readonly Step[]): Finding | null => {
  const saved = new Set<string>(initialNames);
  const receivers = new Set<string>();
  let sentences = 0;
  for (const [index, step] of steps.entries()) {
    const path = `/steps/${index}`;
    const found = checkStep(step, path);
    if (found !== null) return found;
    if (step.say !== undefined) sentences += 1;
    if (sentences > MAX_SENTENCES)
      return { path: `${path}/say`, problem: `a story has at most ${MAX_SENTENCES} sentences` };
    // A story's text and screens contain no references.
    const { came: _, say: _say, show, ...evaluated } = step;
    const unsaved = referredNames(evaluated).find((name) => !saved.has(name));
    if (unsaved !== undefined)
      return {
        path,
        problem: `refers to {{${unsaved}}}, which no earlier step saved; there are ${[...saved].join(", ")}`,
      };
    if (step.deliveries && !receivers.has(step.deliveries.receiver))
      return {
        path: `${path}/deliveries/receiver`,
        problem: `${step.deliveries.receiver} isn’t a saved receiver of an earlier step`,
      };
    if (step.save !== undefined && saved.has(step.save))
      return { path: `${path}/save`, problem: `${step.save} is taken; choose another name` };
    if (step.save !== undefined) saved.add(step.save);
    if (step.receiver && step.save !== undefined) receivers.add(step.save);
    const [shown = ""] = show?.entity.split(".") ?? [];
    if (show && (initialNames.includes(shown) || !saved.has(shown)))
      return {
        path: `${path}/show/entity`,
        problem: `${shown} isn’t saved by this step or an earlier one`,
      };
  }
  return null;
};

/** Returns up to `most` schema violations; without any, the first violation of the other rules. */
export const scenarioViolations = (value: unknown, most: number): readonly Violation[] => {
  if (isObject(value) && typeof value.scenario === "number" && value.scenario > SCENARIO_FORMAT) {
    const problem = `${value.scenario} is from a newer version of Integrations Explorer; update it, then run the file`;
    return [toViolation({ path: "/scenario", problem })];
  }
  // Stops early: there may be a million steps.
  if (isObject(value) && Array.isArray(value.steps) && value.steps.length > MAX_STEPS)
    return [toViolation({ path: "/steps", problem: `must have at most ${MAX_STEPS} items` })];
  const ofShape = findViolations(Scenario, value, most);
  if (ofShape.length > 0) return ofShape;
  // The import checks the world in `start`.
  const { start: _, ...written } = value as Scenario;
  const [unknown] = findUnknown(Scenario, written);
  const found = unknown ?? checkSteps(written.steps);
  return found ? [toViolation(found)] : [];
};

/** @throws BadScenarioError with a sentence that names the path */
export const checkScenario = (value: unknown): Scenario => {
  const [first] = scenarioViolations(value, 1);
  if (first) throw new BadScenarioError(first.message);
  return value as Scenario;
};

/** Returns the scenario, or a refusal when it's invalid. */
export const parseScenario = (value: unknown): Scenario | Refusal => {
  const [first] = scenarioViolations(value, 1);
  return first ? refuse("bad_request", `/scenario isn’t valid: ${first.message}`) : (value as Scenario);
};

/** Parses a JSON file. @throws BadScenarioError */
export const readJson = (file: string, most = MAX_DOCUMENT_BYTES): unknown => {
  if (fs.statSync(file).size > most) throw new BadScenarioError(`it is larger than ${most / 1024 / 1024} MiB`);
  const bytes = fs.readFileSync(file);
  if (isTooDeep(bytes)) throw new BadScenarioError(`it is nested deeper than ${MAX_DEPTH} levels`);
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message quotes the file, which may contain a secret.
    const at = findJsonMistake(text);
    throw new BadScenarioError(`it isn’t valid JSON${at ? ` (line ${at.line}, column ${at.column})` : ""}`);
  }
};

/** File names of scenarios and reproductions in a folder. */
const isScenarioFile = new RegExp(`\\.(json|${REPRODUCTION_EXTENSION})$`);
const scenarioFiles = (name: string): string[] => {
  if (!fs.statSync(name).isDirectory()) return [name];
  const found = fs.readdirSync(name).filter((one) => isScenarioFile.test(one));
  if (found.length === 0)
    throw new BadScenarioError(`it is a folder without a .json or .${REPRODUCTION_EXTENSION} file`);
  return found.toSorted().map((one) => path.join(name, one));
};

/** @throws BadScenarioError that names the file */
const named = <T>(file: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : String(error);
    if (code === "ENOENT") throw new BadScenarioError(`File not found: ${file}`);
    const why = error instanceof BadScenarioError ? error.message : `it can’t be read (${code})`;
    throw new BadScenarioError(`${file} isn’t a scenario: ${why}`);
  }
};

export interface ReadScenario {
  readonly file: string;
  readonly scenario: Scenario;
}

/** Reads scenario and reproduction files, also all in a folder. @throws BadScenarioError that names the file */
export const readScenarios = (names: readonly string[]): ReadScenario[] =>
  names
    .flatMap((name) => named(name, () => scenarioFiles(name)))
    .map((file) => ({ file, scenario: named(file, () => checkScenario(readJson(file))) }));
