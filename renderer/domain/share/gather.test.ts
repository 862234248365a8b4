// @vitest-environment jsdom
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { readTicketCalls } from "./gather.ts";

afterEach(() => vi.unstubAllGlobals());

it("reads the cause even of a call without a response", async () => {
  takeToken("token");
  const reason = { refusal: { sentence: "An active fault closed the connection." } };
  const answers: Readonly<Record<string, object>> = {
    "requests.get": { id: "one", trace_id: "one", status: 0 },
    "requests.explain": reason,
    "traces.get": { deliveries: [] },
  };
  vi.stubGlobal("fetch", async (url: string) => Response.json(answers[url.split("/").at(-1) ?? ""]));
  const reading = { world: "default", signal: new AbortController().signal, onRead: () => undefined };
  const [call] = await readTicketCalls(["one"], () => "Tarn & Rowe", reading);
  expect(call?.explanation).toEqual(reason);
});
