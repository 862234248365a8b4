// @vitest-environment jsdom
import { Timeline } from "@mantine/core";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Client, Organization } from "../../../sandbox/contract/control/rows.ts";
import { listenForKeys } from "../../kernel/keys/key-listener.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { FlowPane, ResultStep } from "./flow-pane.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
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
