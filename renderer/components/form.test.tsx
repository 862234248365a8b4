// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listenForKeys } from "../kernel/keys/key-listener.ts";
import { show } from "../testing/shown.tsx";
import { SendKeyForm } from "./form.tsx";

let ends: () => void;
beforeEach(() => {
  ends = listenForKeys(() => true);
});
afterEach(() => {
  ends();
  cleanup();
});

const press = (where: Element) => fireEvent.keyDown(where, { key: "Enter", ctrlKey: true });

it("Ctrl and Enter send it from each of its fields only", () => {
  const [confirm, cancel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  show(
    <>
      <input type="search" aria-label="Search orders" />
      <SendKeyForm keys={["Order", "Confirm"]} onSend={confirm}>
        <input aria-label="Note" />
        <select aria-label="Site" />
      </SendKeyForm>
      <SendKeyForm keys={["Order", "Cancel"]} onSend={cancel}>
        <input aria-label="Reason" />
      </SendKeyForm>
    </>,
  );
  press(document.body);
  press(screen.getByLabelText("Search orders"));
  expect([confirm, cancel].map((send) => send.mock.calls.length)).toEqual([0, 0]);
  press(screen.getByLabelText("Note"));
  press(screen.getByLabelText("Site"));
  expect([confirm, cancel].map((send) => send.mock.calls.length)).toEqual([2, 0]);
  press(screen.getByLabelText("Reason"));
  expect([confirm, cancel].map((send) => send.mock.calls.length)).toEqual([2, 1]);
});
