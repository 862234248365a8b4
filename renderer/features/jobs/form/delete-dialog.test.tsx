// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { DeleteJobDialog } from "./job-dialogs.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("predicts that a job with a live order can't be deleted", async () => {
  takeToken("token");
  const order = { id: "o", reference: "TRC-1", status: "order_requested" };
  vi.stubGlobal("fetch", async () => Response.json({ items: [order] }));
  const row = { id: "j", job_number: "J-1", parts: 2 } as JobRow;
  const credential = { api_key: "k", integration_id: "i", scope: "repairer" } as KeyedCredential;
  show(<DeleteJobDialog opened row={row} credential={credential} onClose={() => undefined} />);
  const link = await screen.findByRole("link", { name: "TRC-1" });
  expect(link.parentElement?.parentElement?.textContent).toContain(
    "This call will be refused with 422, because an order is not cancelled: TRC-1",
  );
});
