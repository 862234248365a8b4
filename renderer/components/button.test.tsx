// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { show } from "../testing/shown.tsx";

afterEach(() => {
  cleanup();
  vi.resetModules();
});

const shownWith = async (scope: "view" | "act" | "manage" | null) => {
  const { setWorldAccess } = await import("../lib/world-access.ts");
  const { IconPin } = await import("@tabler/icons-react");
  const { Button, IconButton } = await import("./button.tsx");
  if (scope !== null) setWorldAccess({ name: "Acme", world: "acme", scope, expires_at: null });
  show(
    <>
      <Button>Look</Button>
      <Button busy={false}>Send</Button>
      <Button busy={false} needs="manage">
        Reset
      </Button>
      <Button busy={false} needs="view">
        Share
      </Button>
      <IconButton icon={IconPin} label="Pin" needs="act" />
    </>,
  );
  return Object.fromEntries(
    screen
      .getAllByRole("button")
      .map((one) => [one.textContent || one.ariaLabel, one.hasAttribute("disabled") ? one.title : "enabled"]),
  );
};

const enabled = "enabled";
it("a view token disables changing buttons with a reason", async () => {
  const why = "Your token is view only. Ask the operator for another.";
  expect(await shownWith("view")).toEqual({ Look: enabled, Send: why, Reset: why, Share: enabled, Pin: why });
});
it("an act token may send", async () => {
  const why = "This needs a token with the scope manage. Ask the operator for one.";
  expect(await shownWith("act")).toEqual({ Look: enabled, Send: enabled, Reset: why, Share: enabled, Pin: enabled });
});
it("a manage token and the control token enable everything", async () => {
  const all = { Look: enabled, Send: enabled, Reset: enabled, Share: enabled, Pin: enabled };
  expect(await shownWith("manage")).toEqual(all);
  cleanup();
  vi.resetModules();
  expect(await shownWith(null)).toEqual(all);
});
