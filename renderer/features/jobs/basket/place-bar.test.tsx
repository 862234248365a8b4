// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { takeToken } from "../../../lib/session.ts";
import { basket, offer, part } from "../../../testing/baskets.ts";
import { show } from "../../../testing/shown.tsx";
import { basketTable } from "./basket-table.ts";
import { byPrice, chooseOffers } from "./choosing.ts";
import { PlaceBar } from "./place-bar.tsx";
import { useChoice } from "./use-choice.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const table = basketTable([{ ...part("a"), status: "ordered" }, part("b")], basket("M", offer("M", "a", "1.00")));

const Bar = () => {
  const choice = useChoice("job", table);
  const row = { id: "job", site: { currency_code: "NZD" } } as JobRow;
  const place = { error: null, isPending: false } as Parameters<typeof PlaceBar>[0]["place"];
  return (
    <>
      <button type="button" onClick={() => choice.choose(chooseOffers(table, ["a"], byPrice))}>
        choose
      </button>
      <PlaceBar basket={{ current: null }} row={row} credential={{} as KeyedCredential} choice={choice} place={place} />
    </>
  );
};

it("warns of parts that are ordered again, a missing receiver and a missing key", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  const { container } = show(<Bar />);
  screen.getByRole("button", { name: "choose" }).click();
  await vi.waitFor(() => {
    for (const words of [
      "1 chosen offer is for parts that are already ordered. They will be ordered again.",
      "No integration is subscribed to these events: add a subscription first.",
      "You can’t confirm orders of Supplier M here, because you have no key.",
    ])
      expect(container.textContent).toContain(words);
  });
});
