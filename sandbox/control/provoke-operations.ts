import { operationsProvoke, type Provocation } from "../contract/control/provoke-operations.ts";
import { type ErrorCode, errorCodes, refuse } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { codesOf } from "../contract/operation-errors.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";
import { ownProvocations } from "./own-provocations.ts";
import { nameOfCode, type Recipe, recipesFor, Scene } from "./provocations.ts";

const operations: readonly Operation[] = partnerOperations;

/** One of the other callers may have what a call needs. */
const MOST_CALLERS = 8;

/** Who may call an operation: who is asked for, then those of the seed, then the newest. */
const callersOf = (world: World, { scope }: Operation, asked: string | undefined): (CredentialRow | null)[] => {
  if (scope === "none") return [null];
  const rank = (one: CredentialRow): number => (one.integration_id === asked ? 0 : one.preloaded ? 1 : 2);
  const fitting = world.stores.credentials
    .list()
    .filter((one) => scope === "either" || one.scope === scope)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MOST_CALLERS);
  return fitting.length > 0 ? fitting : [null];
};

const composed = (recipe: Recipe, scenes: readonly Scene[]): Provocation => {
  const { code, cause, name, own } = recipe;
  const base = { code, status: errorCodes[code].status, cause, name, own, says: "", call: null, fault: null };
  let needs = "";
  for (const scene of scenes) {
    const { caller, operation, example } = scene;
    if (operation.scope !== "none" && caller === null)
      return {
        ...base,
        needs: `Install an integration of ${operation.scope === "supplier" ? "a supplier" : "a buyer"} first.`,
      };
    const made = recipe.compose(scene);
    if ("needs" in made) {
      needs ||= made.needs;
      continue;
    }
    const { says, body = example, as = caller, tenant, headers = [] } = made;
    const call = {
      operation: operation.id,
      body: JSON.stringify(body, null, 2),
      act_as: as?.integration_id ?? null,
      ...(tenant === undefined ? {} : { tenant }),
      headers,
    };
    return { ...base, says, call, needs: null };
  }
  return { ...base, needs };
};

/** Programs repeat by themselves what came over a connection that may have been the wrong one. */
const usesFor = (code: ErrorCode): number => (code === "misdirected_request" ? 2 : 1);

/** What no call of its own is answered with: a fault answers the example. */
const faulted = (code: ErrorCode, { operation, caller, example }: Scene): Provocation => {
  const name = nameOfCode(code);
  const act_as = caller?.integration_id ?? null;
  const uses = usesFor(code);
  return {
    ...{ code, status: errorCodes[code].status, cause: null, name, own: false, needs: null },
    says: uses === 1 ? "is answered by a fault, once" : "is answered by a fault, twice: browsers repeat it unasked",
    call: { operation: operation.id, body: JSON.stringify(example, null, 2), act_as, headers: [] },
    fault: {
      name: `${name}, made to happen`,
      operation: operation.id,
      ...(act_as === null ? {} : { integration_id: act_as }),
      effect: { error: { code } },
      uses,
    },
  };
};

/** Every error of an operation with what makes it happen. */
export const provokeControls: readonly BoundControl[] = [
  control(operationsProvoke, ({ world, info }, { operation: id, code: only, integration_id, reveal = false }) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) {
      const items = ownProvocations(id, info.mode, world);
      if (!items) return refuse("not_found", `/operation ${id} is no operation whose errors are listed`);
      return { items: items.filter(({ code }) => only === undefined || code === only) };
    }
    const [scene, ...others] = callersOf(world, operation, integration_id?.toLowerCase()).map(
      (caller) => new Scene(world, operation, caller, reveal),
    );
    if (!scene) return { items: [] };
    const codes = codesOf(operation).filter((code) => only === undefined || code === only);
    const recipes = recipesFor(operation);
    return {
      items: codes.flatMap((code) => {
        const own = recipes.filter((recipe) => recipe.code === code);
        return own.length > 0 ? own.map((recipe) => composed(recipe, [scene, ...others])) : [faulted(code, scene)];
      }),
    };
  }),
];
