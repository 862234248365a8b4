// @vitest-environment jsdom
import { cleanup, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../../testing/shown.tsx";
import { Work } from "./work-under-way.tsx";

afterEach(cleanup);

it("shows progress in percent, or that work waits for other work", () => {
  const first = show(<Work what="Creating first" progress={0.404} onCancel={() => undefined} />);
  expect(within(first.container).getByRole("status").textContent).toContain("Creating first, 40 %");
  cleanup();
  const second = show(<Work what="Creating second" progress={null} onCancel={() => undefined} />);
  expect(within(second.container).getByRole("status").textContent).toContain("Creating second, waiting for other work");
});
