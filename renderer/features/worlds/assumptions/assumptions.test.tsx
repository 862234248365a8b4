// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { policyChoices, policyNames } from "../../../../sandbox/contract/control/policies.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { Assumptions } from "./assumptions.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows what the contract says, its gap, and one example with the result of each choice", async () => {
  takeToken("token");
  const of = <T,>(value: (name: (typeof policyNames)[number]) => T) =>
    Object.fromEntries(policyNames.map((name) => [name, value(name)]));
  vi.stubGlobal("fetch", async () =>
    Response.json({ policies: of((name) => policyChoices[name][0]), changed_at: of(() => null) }),
  );
  show(<Assumptions shown={undefined} />);
  const one = await screen.findByRole("region", { name: "Insert an existing job" });
  expect(one.textContent).toContain("The contract defines if_");
  expect(one.textContent).toContain("It doesn’t say what happens without if_.");
  expect(one.textContent).toContain("The job already exists, and the call has no if_.");
  const retries = within(screen.getByRole("region", { name: "Retries of failed deliveries" }));
  expect(retries.getAllByRole("definition").map(({ textContent }) => textContent?.trim())).toContain(
    "retry after 200 ms Fast (within seconds)",
  );
});
