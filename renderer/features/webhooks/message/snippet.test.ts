import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { rejectReasons } from "../../../../sandbox/contract/signature.ts";
import { languageNames, linesThatRefuse, snippetQuery } from "./snippet.tsx";

const load = (language: (typeof languageNames)[number]) => new QueryClient().fetchQuery(snippetQuery(language));

describe("the verification functions", () => {
  it("exist in every offered language", async () => {
    for (const language of languageNames) expect(await load(language), language).toMatch(/service-hmac-sha256/i);
  });

  it("mark the refusing lines for every reason", async () => {
    for (const language of languageNames) {
      const code = await load(language);
      const lines = code.split("\n");
      for (const reason of rejectReasons) {
        const found = linesThatRefuse(code, reason, rejectReasons);
        expect(found.length, `${language} ${reason}`).toBeGreaterThan(0);
        if (reason === "bad_signature") expect(found, language).toHaveLength(1);
        for (const index of found) expect(lines[index]).toContain(reason);
      }
    }
  });

  it("don't mark a line that lists several reasons", () => {
    const code = 'type Reason = "missing_signature" | "bad_signature";\nreturn "bad_signature";';
    expect(linesThatRefuse(code, "bad_signature", rejectReasons)).toEqual([1]);
  });
});
