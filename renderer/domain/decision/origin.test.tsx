// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../../testing/shown.tsx";
import { Origin } from "./origin.tsx";

afterEach(cleanup);

it("an assumption can be focused and then describes the decision", async () => {
  show(<Origin of="assumption" id="D71" />);
  const badge = screen.getByRole("button", { name: "assumption D71" });
  badge.focus();
  fireEvent.focus(badge);
  const words = await screen.findByText(/^Not defined by the contract\. D71: ./);
  expect(badge.getAttribute("aria-describedby")).toBe(words.id);
});

it("a switchable assumption links to its setting and describes the decision", async () => {
  show(<Origin of="assumption" id="D50" switchable />);
  const link = screen.getByRole("link");
  fireEvent.focus(link);
  await screen.findByText(/D50: .* Change it for this world\.$/);
});
