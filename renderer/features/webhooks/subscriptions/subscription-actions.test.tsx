// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { UnsubscribeDialog } from "./subscription-actions.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const subscription = (id: string, url: string) => ({ id, url, organization_name: id, pending: 0 }) as Subscription;
let open: (one: Subscription | null) => void;
const Dialogs = ({ first }: { first: Subscription }) => {
  const [one, setOne] = useState<Subscription | null>(first);
  open = setOne;
  return <UnsubscribeDialog subscription={one} onClose={() => setOne(null)} />;
};

it("deletes a subscription, or a built-in receiver with its subscription", async () => {
  takeToken("the token of a test");
  const asked = vi.fn();
  vi.stubGlobal("fetch", async (url: string, { body }: { body: string }) => {
    asked(url.split("/").at(-1), JSON.parse(body).id);
    return Response.json({ type: "internal_error", message: "A is still in use." }, { status: 500 });
  });
  const remove = () => fireEvent.click(screen.getByRole("button", { name: "Remove subscription" }));
  show(<Dialogs first={subscription("a", "http://127.0.0.1:8787/hooks")} />);
  remove();
  await screen.findByText("A is still in use.");
  expect(asked).toHaveBeenCalledWith("subscriptions.delete", "a");

  act(() => open(subscription("b", `${window.location.origin}/__receiver/r-1`)));
  // An error of one subscription doesn't appear in another's dialog.
  expect(screen.queryByText("A is still in use.")).toBeNull();
  remove();
  await waitFor(() => expect(asked).toHaveBeenCalledWith("receivers.delete", "r-1"));
});
