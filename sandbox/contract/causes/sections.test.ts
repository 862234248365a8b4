import { expect, test } from "vitest";
import { causeNames, causes } from "../causes.ts";
import { partnerOperations } from "../operations/partner.ts";
import { sections } from "./sections.ts";

const ofContract = partnerOperations.filter(({ surface }) => surface === "contract");
const known: readonly (string | null)[] = [null, ...sections, ...ofContract.map(({ id }) => `Endpoints: ${id}`)];

test("every cause names a section of the contract, or none", () => {
  const named = causeNames.map((name) => causes[name].section);
  expect(named.filter((one) => !known.includes(one))).toEqual([]);
});
