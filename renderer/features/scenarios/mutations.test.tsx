// @vitest-environment jsdom
import { Notifications } from "@mantine/notifications";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { useStartRuns } from "./mutations.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const All = () => {
  const start = useStartRuns();
  return (
    <button type="button" onClick={() => start.mutate(["first", "second", "third"])}>
      Run all
    </button>
  );
};

it("starts all possible runs, counts them, and says why another failed", async () => {
  takeToken("token");
  const started: string[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    const { name } = JSON.parse(String(body)) as { name: string };
    started.push(name);
    if (name === "second") return Response.json({ type: "unprocessable", message: "Too many runs." }, { status: 422 });
    return Response.json({ id: name });
  });
  show(
    <>
      <Notifications />
      <All />
    </>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Run all" }));
  await screen.findByText(/^2 of 3 runs started\. First failure: second\. Too many runs\./);
  expect(started).toEqual(["first", "second", "third"]);
});
