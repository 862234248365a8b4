// @vitest-environment jsdom
import { Timeline } from "@mantine/core";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Client, Organization } from "../../../sandbox/contract/control/rows.ts";
import { listenForKeys } from "../../kernel/keys/key-listener.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import type { Installing } from "./flow.ts";
import { FlowPane, ResultStep } from "./flow-pane.tsx";
import { InsertStep } from "./steps.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, "", "/");
});

it("describes the new key without attributing that to the contract", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  const installed = { api_key: "isk_1", integration_id: "i", webhook_secret: "pwh_1", request_id: null, at: "" };
  show(
    <Timeline>
      <ResultStep side="repairer" installed={installed} isHeard justNow onAgain={() => undefined} />
    </Timeline>,
  );
  const said = (await screen.findByText("Copy these values now")).closest("li, section, div")?.parentElement;
  expect(said?.textContent).toContain("You can copy them again");
  expect(screen.queryByText(/shown once/i)).toBeNull();
  expect(screen.queryByText("contract")).toBeNull();
});

/** Returns the next steps after an install. */
const nextSteps = (isHeard: boolean): string | null => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  const installed = { api_key: "isk_1", integration_id: "i", webhook_secret: "pwh_1", request_id: null, at: "" };
  cleanup();
  const { container } = show(
    <Timeline>
      <ResultStep side="repairer" installed={installed} isHeard={isHeard} justNow onAgain={() => undefined} />
    </Timeline>,
  );
  return container.querySelector("[data-next]")?.textContent ?? null;
};

it("leads to a receiver first, then to an order, or back to the place that needs the key", () => {
  expect(nextSteps(false)).toContain("Next: subscribe both sides, this key and the supplier’s in use, to receive");
  expect(nextSteps(true)).toContain("Next: open a job and order from its basket.");
  expect(nextSteps(true)).toContain(
    "Both sides are subscribed to the test receiver: this key and the supplier’s in use",
  );
  window.history.replaceState(null, "", "/install?back=%2Fprocurements%2F1&back_label=TRC-1");
  expect(nextSteps(false)).toContain("Next: go back to TRC-1.");
});

it("says that the code expired before it was sent", () => {
  const refused = { failure: new ServiceFailure(401, "invalid_access_code", "No such code."), hadExpired: true };
  const of = { client: { client_id: "c", client_secret: "s" }, refused } as unknown as Installing;
  show(
    <Timeline>
      <InsertStep code={{ access_code: "ac_1" } as Parameters<typeof InsertStep>[0]["code"]} of={of} hasExpired />
    </Timeline>,
  );
  expect(screen.getByRole("alert").textContent).toContain("The code expired. Issue another one.");
});

it("its button's key approves, wherever focus is in the place", async () => {
  takeToken("token");
  const fetch = vi.fn((_: string) => new Promise<Response>(() => undefined));
  vi.stubGlobal("fetch", fetch);
  const client = { client_id: "c", name: "Partner", client_secret: "s", oauth_enabled: true } as Client;
  const organization = { id: "o", name: "Tarn & Rowe", scope: "repairer" } as Organization;
  const end = listenForKeys(() => true);
  show(
    <main id="place" tabIndex={-1}>
      <FlowPane side="repairer" client={client} organization={organization} organizations={[organization]} />
    </main>,
  );
  fireEvent.keyDown(screen.getByRole("main"), { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(fetch.mock.calls.map(([url]) => url)).toContainEqual(expect.stringMatching(/issue$/)));
  end();
});
