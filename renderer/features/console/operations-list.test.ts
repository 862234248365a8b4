import { describe, expect, it } from "vitest";
import { controlDocument } from "../../../sandbox/contract/openapi/control-document.ts";
import { openApiDocument } from "../../../sandbox/contract/openapi/document.ts";
import { type OpenApiDocument, operationsIn } from "../../domain/exchange/declarations.ts";
import { rowsOf } from "./operations-list.tsx";

const origin = "http://127.0.0.1:4810";
const all = [openApiDocument(origin), controlDocument(origin)].flatMap((one) =>
  operationsIn(one as unknown as OpenApiDocument),
);

describe("the list of operations", () => {
  it("folds what few come for, until it is unfolded or something is looked for", () => {
    const kindsOf = (open: readonly ("route" | "control")[], isSearched: boolean) =>
      rowsOf(all, new Set(open), isSearched)
        .filter(({ group }) => group === "control")
        .map(({ kind }) => kind);
    expect(kindsOf([], false)).toEqual(["fold"]);
    expect(new Set(kindsOf(["control"], false))).toEqual(new Set(["fold", "operation"]));
    expect(new Set(kindsOf([], true))).toEqual(new Set(["operation"]));
  });
});
