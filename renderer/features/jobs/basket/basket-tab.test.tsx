// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, it, vi } from "vitest";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../../lib/session.ts";
import { part } from "../../../testing/baskets.ts";
import { show } from "../../../testing/shown.tsx";
import { BasketTab } from "./basket-tab.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ["test:offers=none", "The claim number limits the offers: test:offers=none"],
  ["CLM-1", "Parts with quantity 0 get no offers."],
])("says why a job with parts and the claim number %s has no offers", async (claim_number, reason) => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json(url.includes("baskets") ? { offers: [], suppliers: [] } : { items: [part("a")] }),
  );
  const row = { id: "j", claim_number } as unknown as JobRow;
  const credential = { api_key: "k", integration_id: "i" } as Parameters<typeof BasketTab>[0]["credential"];
  show(<BasketTab row={row} credential={credential} />);
  await screen.findByText(reason);
});
