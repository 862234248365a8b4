// @vitest-environment jsdom
import { useQuery } from "@tanstack/react-query";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../testing/shown.tsx";
import { Read } from "./read.tsx";

afterEach(cleanup);

let isBroken = true;
const read = async (): Promise<string> => {
  if (isBroken) throw new Error("The disk is full.");
  return "2 received";
};
const Sink = () => {
  const sink = useQuery({ queryKey: ["sink"], queryFn: read });
  return (
    <>
      <button type="button" onClick={() => void sink.refetch()}>
        Refresh
      </button>
      <Read of={sink} what="the test receiver">
        {(words) => <p>{words}</p>}
      </Read>
    </>
  );
};

it("reports a failed read with its reason, retries on click, and keeps earlier data", async () => {
  show(<Sink />);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Couldn’t load the test receiver");
  expect(alert.textContent).toContain("The disk is full.");
  isBroken = false;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("2 received");

  isBroken = true;
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByText(/^Out of date since/);
  screen.getByText("2 received");
});
