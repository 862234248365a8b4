// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ServiceUnreachable } from "../lib/service-failure.ts";
import { noteResponse } from "../lib/service-reach.ts";
import { show } from "../testing/shown.tsx";
import { Refused } from "./failing.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("says that the service doesn't respond, and then that it is back", () => {
  const at = Date.now();
  show(<Refused error={new ServiceUnreachable(at)} />);
  const refusal = screen.getByRole("alert");
  expect(refusal.textContent).toContain("The service doesn’t respond.");
  vi.spyOn(Date, "now").mockReturnValue(at + 1);
  act(noteResponse);
  expect(refusal.textContent).toContain("The service is back. Check whether the call ran. If not, try again.");
});
