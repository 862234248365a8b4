// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { listenForKeys } from "../../kernel/keys/key-listener.ts";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { SubscribeForm } from "./subscribe-form.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("Ctrl and Enter send the form, as its button says", async () => {
  takeToken("token");
  const asked = vi.fn();
  vi.stubGlobal("fetch", async (url: string) => {
    asked(url.split("/").at(-1));
    return Response.json(url.endsWith("policies.get") ? { policies: {}, own_keys: false } : { items: [] });
  });
  const ends = listenForKeys(() => true);
  show(<SubscribeForm onDone={() => undefined} />);
  fireEvent.keyDown(screen.getByLabelText(/^Receiver URL/), { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(asked).toHaveBeenCalledWith("subscribe"));
  ends();
});

it("says that this world needs a key to subscribe, and sends the chosen integration's key", async () => {
  takeToken("token");
  const integration_id = "11111111-1111-4111-8111-111111111111";
  const owner = { organization_id: "buyer", organization_name: "Tarn & Rowe", scope: "repairer" };
  const known = { integration_id, api_key: "sbx_own", key_hint: "sbx_…", preloaded: true, ...owner };
  const sent = vi.fn();
  vi.stubGlobal("fetch", async (url: string, { headers }: RequestInit) => {
    if (url.endsWith("/subscribe")) sent(new Headers(headers).get("authorization"));
    if (url.endsWith("credentials.list")) return Response.json({ items: [known] });
    if (url.endsWith("policies.get"))
      return Response.json({ policies: { subscribe_credentials: "own_keys" }, own_keys: true });
    return Response.json({ items: [], ok: true });
  });
  show(<SubscribeForm onDone={() => undefined} />);
  await screen.findByText(/a program sends its API key and integration ID/);
  await screen.findByDisplayValue(/Buyer: Tarn & Rowe/);
  fireEvent.click(screen.getByRole("button", { name: /^Subscribe/ }));
  await waitFor(() => expect(sent).toHaveBeenCalledWith("Bearer sbx_own"));
});
