// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { show } from "../../testing/shown.tsx";
import { Boundary } from "./boundary.tsx";

// React logs caught errors.
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(cleanup);

let isBroken = true;
const Rail = () => {
  if (isBroken) throw new Error("no counts");
  return <p>All places</p>;
};

it("an error of the rail leaves the place intact, and the rail can be retried", () => {
  show(
    <>
      <Boundary title="The rail" area="rail">
        <Rail />
      </Boundary>
      <Boundary title="Jobs">
        <p>J-20418</p>
      </Boundary>
    </>,
  );
  expect(screen.getByRole("alert").textContent).toContain("The rail couldn’t be displayed");
  screen.getByText("J-20418");
  isBroken = false;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  screen.getByText("All places");
  expect(screen.queryByRole("alert")).toBeNull();
});
