// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { LabResult } from "./lab-result.tsx";
import { BODY, ENVELOPE } from "./signed.ts";

type Props = Parameters<typeof LabResult>[0];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const delivery = {
  ...{ id: "d", event_type: ENVELOPE.event_type, label: "TRC-1", url: "http://127.0.0.1:1/hook" },
  attempts: [
    { number: 1, request_headers: [], request_body_base64: btoa(String.fromCharCode(...BODY)), started_at: "" },
  ],
};

/** Returns the comparison of a pasted body with the sent one. */
const compared = async (body: object): Promise<string | null> => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json(String(url).endsWith("deliveries.list") ? { items: [delivery] } : delivery),
  );
  const analysis = {
    ...{ body: bytesFromText(JSON.stringify(body)), value: "", explained: null, settled: true, findings: [] },
    ...{ steps: [], reason: null, noSecret: null, now: 0 },
  };
  show(
    <LabResult
      pasted={{ body: "x", header: "" } as Props["pasted"]}
      analysis={analysis as unknown as Props["analysis"]}
    />,
  );
  await screen.findByText(/^Compared with attempt 1/);
  const { textContent } = screen.getByRole("region", { name: "Compared with what was sent" });
  cleanup();
  return textContent;
};

it("says how a pasted body differs from the sent one", async () => {
  const { message_id, ...rest } = ENVELOPE;
  expect(await compared(ENVELOPE)).toMatch(/(?<!not )as sentEvery byte is as it was sent\./);
  expect(await compared({ ...rest, message_id })).toContain(
    "not as sentThe values are the same, but the keys are in another order.",
  );
  expect(await compared({ ...ENVELOPE, version: "v2" })).toContain("1 value differs from what was sent.");
});
