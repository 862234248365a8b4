// @vitest-environment jsdom
import { Notifications } from "@mantine/notifications";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { BranchButton } from "./branch.tsx";

const call = {
  ...{ id: "r", world: "default", operation: "repairer.jobs.insert", method: "POST", status: 200 },
  ...{ integration_id: null, request_body_base64: btoa("{}"), job_id: null, procurement_id: null },
};
const branched = { replayed: 1, differing: 0, first_difference: null, notes: [] };

/** Branches from a call, and returns the notice. */
const branch = async (result: object) => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) => {
    const operation = String(url).split("/").at(-1);
    if (operation === "requests.get") return Response.json(call);
    return Response.json(operation === "worlds.branch" ? { ...branched, ...result } : { items: [] });
  });
  show(
    <>
      <Notifications />
      <BranchButton of={{ title: "Insert job", name: "default", world: "default", id: "r" }} look="words" />
    </>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Branch from here" }));
  fireEvent.click(await screen.findByRole("button", { name: "Create and open" }));
  return (await screen.findByRole("alert")).textContent;
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  history.replaceState(null, "", "/");
});

it("reports how many calls were replayed", async () => {
  expect(await branch({})).toContain("World default-branch createdAs it was before “Insert job”. 1 call replayed.");
});

it("reports the first difference with its cause, and the first notes", async () => {
  const first = { request_id: null, step: "repairer.jobs.insert → 409", path: "/status", expected: 200, got: 409 };
  const notes = ["A body is cut short (1).", "B.", "C.", "D."];
  const cause = "the external identifier is taken";
  expect(await branch({ replayed: 12, differing: 2, first_difference: { ...first, cause }, notes })).toContain(
    [
      "12 calls replayed. 2 results differed from the recording.",
      "First difference: repairer.jobs.insert → 409 /status. Cause: the external identifier is taken.",
      "A body is cut short (1). B. C. 1 more item couldn’t be replayed.",
    ].join(" "),
  );
});
