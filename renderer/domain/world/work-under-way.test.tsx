// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../../testing/shown.tsx";
import { Work } from "./work-under-way.tsx";

afterEach(cleanup);

it("shows progress in percent, or that work waits for other work", () => {
  show(<Work what="Creating first" progress={0.404} onCancel={() => undefined} />);
  expect(screen.getByRole("status").textContent).toContain("Creating first, 40 %");
  cleanup();
  show(<Work what="Creating second" progress={null} onCancel={() => undefined} />);
  expect(screen.getByRole("status").textContent).toContain("Creating second, waiting for other work");
});
