import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { languageNames, snippetQuery } from "../message/snippet.tsx";
import { usualLines } from "./usual-lines.ts";

it("contains the common mistake for every drill that finds one", () => {
  const named = drillNames.filter((drill) => drills[drill].mistake !== undefined);
  expect(Object.keys(usualLines).toSorted()).toEqual(named.toSorted());
});

it("contains the correct line of the verification function beside it", async () => {
  const client = new QueryClient();
  for (const language of languageNames) {
    const code = await client.fetchQuery(snippetQuery(language));
    for (const { isInFunction, lines } of Object.values(usualLines)) {
      const { wrong, right } = lines[language];
      expect(code.includes(right), `${language}: ${right}`).toBe(isInFunction);
      expect(code, language).not.toContain(wrong);
    }
  }
});
