import path from "node:path";
import { expect, test } from "vitest";
import { rejectReasons } from "../contract/signature.ts";
import { DRIVERS, expectVerdicts, prepareCases, verdicts } from "../testing/verification-snippets.ts";

prepareCases();

test("the cases hold good notifications and every reason to refuse one, as the service sends them", () => {
  expect(verdicts().length).toBeGreaterThan(40);
  const counts = Object.groupBy(verdicts(), (reason) => reason);
  for (const reason of ["ok", ...rejectReasons]) expect(counts[reason]?.length, reason).toBeGreaterThan(1);
});

test("TypeScript", () => expectVerdicts(process.execPath, [path.join(DRIVERS, "driver.ts")]));
