import fs from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { rejectReasons } from "../contract/signature.ts";
import { DRIVERS, expectVerdicts, prepareCases, SNIPPETS, verdicts } from "../testing/verification-snippets.ts";

prepareCases();

test("the cases contain valid notifications and every reason for refusal, as sent by the service", () => {
  expect(verdicts().length).toBeGreaterThan(40);
  const counts = Object.groupBy(verdicts(), (reason) => reason);
  for (const reason of ["ok", ...rejectReasons]) expect(counts[reason]?.length, reason).toBeGreaterThan(1);
});

test("TypeScript", () => expectVerdicts(process.execPath, [path.join(DRIVERS, "driver.ts")]));

test("JavaScript is the same function without types", () => {
  const code = (name: string) => fs.readFileSync(path.join(SNIPPETS, name), "utf8");
  const printed = (text: string) => text.replaceAll(/\s/g, "").replaceAll(",)", ")");
  expect(printed(code("verify-webhook.mjs"))).toBe(printed(stripTypeScriptTypes(code("verify-webhook.ts"))));
});
