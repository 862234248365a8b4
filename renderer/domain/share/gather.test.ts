import { expect, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { readTicketCalls } from "./gather.ts";

const answers: Readonly<Record<string, unknown>> = {
  "/__sandbox/requests.get": { id: "r", trace_id: "t", status: 0, integration_id: null },
  "/__sandbox/requests.explain": { refusal: { sentence: "The connection ended before the answer." }, ignored: [] },
  "/__sandbox/traces.get": { changes: [], events: [], deliveries: [], drills: [] },
};

it("a ticket says why a call was not answered", async () => {
  takeToken("of a test");
  vi.stubGlobal("fetch", (path: string) => Promise.resolve(Response.json(answers[path])));
  const reading = { world: "qa", signal: new AbortController().signal, onRead: () => undefined };
  const [call] = await readTicketCalls(["r"], () => "nobody", reading);
  vi.unstubAllGlobals();
  expect(call?.explanation?.refusal?.sentence).toBe("The connection ended before the answer.");
});
