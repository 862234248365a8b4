// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import "../../testing/fresh-window.ts";
import { show } from "../../testing/shown.tsx";
import { Place } from "./place.tsx";

const from = "2026-11-23T10:00:00.000Z";
const activity = {
  ...{ from, to: "2026-11-23T11:00:00.000Z", count: 0, expected: 0, step_seconds: 60, buckets: [], items: [] },
  ...{ callers: [], more_callers: 0, last_call: null },
};
const stray = {
  ...{ id: "s", at: from, world: "acmee", operation: "repairer.jobs.get", method: "POST", path: "/", status: 404 },
  ...{ reason: null, request_headers: [], request_body: "", response_body: "", exists: false, nearest: ["acme"] },
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says that nothing went wrong, and lists calls to unknown worlds with the probable name", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) => {
    const operation = String(url).split("/").at(-1);
    if (operation === "activity.list") return Response.json(activity);
    return Response.json({ items: operation === "activity.strays" ? [stray] : [] });
  });
  show(<Place />);
  await screen.findByText("Nothing went wrong in the last hour");
  fireEvent.click(await screen.findByRole("button", { name: "1 call to worlds that don’t exist" }));
  const dialog = await screen.findByRole("dialog", { name: "Calls to worlds that don’t exist" });
  await vi.waitFor(() => expect(dialog.textContent).toContain("Did you mean acme?"));
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  fireEvent.click(screen.getByRole("button", { name: "Copy for a ticket" }));
  await vi.waitFor(() =>
    expect(writeText).toHaveBeenCalledWith(
      expect.stringMatching(
        /^.* returned 404 at .*\nWorld: acmee, which didn’t exist\. Did you mean acme\?\nRequest ID: s\n/,
      ),
    ),
  );
});
