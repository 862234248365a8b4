// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { listenForKeys } from "../../app/key-registry.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { SubscribeForm } from "./forms.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("is sent by Ctrl and Enter, as its button says", async () => {
  takeToken("token");
  const asked = vi.fn();
  vi.stubGlobal("fetch", async (url: string) => {
    asked(url.split("/").at(-1));
    return Response.json({ items: [] });
  });
  const ends = listenForKeys(() => true);
  show(<SubscribeForm onDone={() => undefined} />);
  fireEvent.keyDown(screen.getByLabelText(/^Receiver URL/), { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(asked).toHaveBeenCalledWith("subscribe"));
  ends();
});
