// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { correctBehaviour } from "../../../../sandbox/contract/control/presets.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { ReceiverPage } from "./receiver-page.tsx";

const id = "01a1ff86-3653-4f6e-b85a-7ae8374fa8e1";
const receiver = {
  ...{ id, integration_id: "i", url: `http://127.0.0.1/__receiver/${id}`, subscription_id: "s", counted: 1 },
  ...{ created_at: "2026-11-22T10:00:00.000Z", behaviour: correctBehaviour, received: 1 },
};
const receipt = {
  ...{ id: "r", at: "2026-11-22T10:00:00.000Z", outcome: "refused", status: 401, reason: "bad_signature" },
  ...{ repeat: false, message_id: "m", event_type: "repairer.jobs", integration_id: "i", headers: [] },
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows a built-in receiver with its arrivals, responses and behaviour", async () => {
  takeToken("token");
  const answers: Readonly<Record<string, unknown[]>> = {
    "receivers.list": [receiver],
    "receivers.received": [receipt],
  };
  vi.stubGlobal("fetch", async (url: string) => Response.json({ items: answers[url.split("/").at(-1) ?? ""] ?? [] }));
  show(<ReceiverPage id={id} />);
  const detail = await screen.findByRole("article", { name: "Built-in receiver" });
  const row = (await within(detail).findByText("bad_signature")).closest("tr");
  for (const said of ["repairer.jobs", "401", "refused"]) expect(row?.textContent).toContain(said);
  within(detail).getByRole("button", { name: "Change behaviour" });
  expect(within(detail).getByRole("link", { name: "Open subscription" }).getAttribute("href")).toBe(
    "/webhooks/subscriptions/s",
  );
});

it("says if a receiver doesn't exist", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  show(<ReceiverPage id={id} />);
  await screen.findByText("Receiver not found");
});
