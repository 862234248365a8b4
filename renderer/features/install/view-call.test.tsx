// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, it, vi } from "vitest";
import { takeToken } from "../../lib/session.ts";
import { show } from "../../testing/shown.tsx";
import { ViewCall } from "./view-call.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows the duration from the service's record, as the wire does", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ id: "one", duration_ms: 18.34 }));
  show(<ViewCall requestId="0b6f4e5c-9e2a-4a52-8d11-6a0c0e8f7b21" of="integrations.insert" />);
  await screen.findByText("18.3 ms");
});
