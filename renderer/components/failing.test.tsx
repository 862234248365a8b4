// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ServiceUnreachable } from "../lib/service-failure.ts";
import { noteResponse } from "../lib/service-reach.ts";
import { show } from "../testing/shown.tsx";
import { Refused } from "./failing.tsx";

afterEach(cleanup);

it("says that the service doesn't respond, and then that it is back", () => {
  show(<Refused error={new ServiceUnreachable(0)} />);
  const refusal = screen.getByRole("alert");
  expect(refusal.textContent).toContain("The service doesn’t respond.");
  act(noteResponse);
  expect(refusal.textContent).toContain("The service is back. Check whether the call ran. If not, try again.");
});
