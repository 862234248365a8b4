import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accessScopes, includesScope, type NeededScope } from "../../contract/access.ts";
import { controlOperations } from "../../contract/control/all-operations.ts";
import type { Operation } from "../../contract/operation.ts";
import { accessProblem } from "./access.ts";

const operations: readonly Operation[] = controlOperations;
const names = fc.constantFrom("default", "acme", "other", "no-such-world");
const levels: readonly NeededScope[] = [...accessScopes, "operator"];
/** Optional fields that need a wider scope. */
const asked = fc.constantFrom(undefined, false, true);

describe("the access of a world token", () => {
  it("equals the declaration for every operation, scope and world", () => {
    const call = fc.record({
      operation: fc.constantFrom(...operations),
      token: fc.record({ world: names, scope: fc.constantFrom(...accessScopes) }),
      world: fc.option(names, { nil: undefined }),
      to: fc.option(names, { nil: undefined }),
      withWorld: fc.option(names, { nil: undefined }),
      reveal: asked,
      everywhere: asked,
    });
    fc.assert(
      fc.property(call, ({ operation, token, world, to, withWorld, reveal, everywhere }) => {
        const body = { world, to, with: { world: withWorld }, reveal, everywhere };
        const problem = accessProblem(operation.access, token, body);
        const { access } = operation;
        if (access === undefined) {
          expect(problem).toEqual({ is: "scope", needs: "operator" });
          return;
        }
        if (access.needs === "anyone") {
          expect(problem).toBeNull();
          return;
        }
        const needed: NeededScope[] = [access.needs];
        if (reveal) needed.push(access.fields?.reveal ?? access.needs);
        if (everywhere) needed.push(access.fields?.everywhere ?? access.needs);
        const highest = levels.findLast((level) => needed.includes(level)) ?? "operator";
        const named = (access.worlds ?? ["world"]).map(
          (path) =>
            ({ world: world ?? "default", to: to ?? token.world, "with.world": withWorld ?? token.world })[path],
        );
        const isAllowed = includesScope(token.scope, highest) && named.every((name) => name === token.world);
        expect(problem === null).toBe(isAllowed);
      }),
      { numRuns: 5_000 },
    );
  });

  it("doesn't reveal if a foreign world exists, or how its name is wrong", () => {
    const foreign = fc.oneof(fc.string(), fc.constantFrom(null, 7, {}, [], "ACME", "acme ", "__proto__"));
    fc.assert(
      fc.property(fc.constantFrom(...operations), foreign, (operation, world) => {
        fc.pre(world !== "acme" && (operation.access?.worlds ?? ["world"]).includes("world"));
        fc.pre(operation.access?.needs !== "anyone");
        const token = { world: "acme", scope: "manage" } as const;
        const one = accessProblem(operation.access, token, { world });
        expect(one).toEqual(accessProblem(operation.access, token, { world: "other" }));
        expect(one).not.toBeNull();
      }),
    );
  });

  it.each([null, 7, "text", [], undefined])("is refused for a body that is %j", (body) => {
    const token = { world: "acme", scope: "manage" } as const;
    expect(accessProblem({ needs: "view" }, token, body)).toEqual({ is: "world" });
  });

  it("requires act or manage for every operation that changes the world", () => {
    const open = operations.filter((one) => one.effect === "write" && one.access?.needs === "view");
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});
