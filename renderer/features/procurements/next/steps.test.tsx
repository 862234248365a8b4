// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { CONFIRMING } from "../../../kernel/addresses/hrefs.ts";
import { listenForKeys } from "../../../kernel/keys/key-listener.ts";
import { ServiceUnreachable } from "../../../lib/service-failure.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import type { Move } from "../mutations.ts";
import type { SideView, TwoSides } from "../two-sides.tsx";
import { CancelStep, ConfirmStep } from "./steps.tsx";

let ends: () => void;
beforeEach(() => {
  takeToken("token");
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  ends = listenForKeys(() => true);
});
afterEach(() => {
  ends();
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, "", "/");
});

const supplier = {
  ...{
    name: "Meridian",
    about: { id: "o", job_id: "j" },
    credential: { api_key: "k", integration_id: "i", scope: "supplier" },
  },
} as SideView;

it("opening an order to confirm it focuses the step, and its key confirms it", () => {
  const mutate = vi.fn();
  window.history.replaceState(null, "", `/procurements/o${CONFIRMING}`);
  show(
    <div data-acts-in>
      <ConfirmStep
        supplier={supplier}
        confirm={{ mutate } as unknown as Move}
        isOpen
        isSettled
        onOpen={() => undefined}
      />
    </div>,
  );
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Confirm as Meridian" }));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Enter", ctrlKey: true });
  expect(mutate).toHaveBeenCalledWith(supplier.credential);
});

it("the same address focuses an open order's step again, another order's doesn't", () => {
  window.history.replaceState(null, "", "/procurements/o");
  const onOpen = vi.fn();
  show(
    <>
      <button type="button">elsewhere</button>
      <ConfirmStep
        supplier={supplier}
        confirm={{ mutate: vi.fn() } as unknown as Move}
        isOpen={false}
        isSettled
        onOpen={onOpen}
      />
    </>,
  );
  const heading = screen.getByRole("heading", { name: "Confirm as Meridian" });
  const elsewhere = screen.getByRole("button", { name: "elsewhere" });
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  const asked = (times: number) => {
    expect(onOpen).toHaveBeenCalledTimes(times);
    expect(scrolled).toHaveBeenCalledTimes(times);
    expect(document.activeElement === heading).toBe(times > 0);
  };
  asked(0);
  act(() => navigate(`/procurements/o${CONFIRMING}`));
  asked(1);
  elsewhere.focus();
  act(() => navigate(`/procurements/o${CONFIRMING}`));
  asked(2);
  elsewhere.focus();
  act(() => void window.dispatchEvent(new Event("hashchange")));
  asked(3);
  elsewhere.focus();
  act(() => navigate(`/procurements/other${CONFIRMING}`));
  expect(document.activeElement).toBe(elsewhere);
  scrolled.mockRestore();
});

it("a cancellation says that it creates no events", () => {
  const buyer = { ...supplier, organization: "Tarn & Rowe" };
  const cancel = { mutate: vi.fn() } as unknown as Move;
  show(<CancelStep sides={{ buyer, supplier } as TwoSides} cancel={cancel} shown onShown={() => undefined} />);
  expect(screen.getByRole("region", { name: "Cancel as either side" }).textContent).toContain(
    "none, because events have no cancelled status",
  );
});

it("a step without a response says that the service doesn’t respond, without a result", () => {
  const confirm = { mutate: vi.fn(), error: new ServiceUnreachable(Number.POSITIVE_INFINITY) } as unknown as Move;
  show(<ConfirmStep supplier={supplier} confirm={confirm} isOpen isSettled onOpen={() => undefined} />);
  expect(screen.getByRole("alert").textContent).toMatch(/The service doesn’t respond\.$/);
});
