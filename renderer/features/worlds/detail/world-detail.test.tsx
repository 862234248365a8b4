// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../../../testing/shown.tsx";
import { WorldFacts } from "./world-detail.tsx";

const world = {
  name: "acme",
  created_at: "2026-03-12T10:00:00.000Z",
  last_active_at: "2026-03-12T10:00:00.000Z",
  last_called_at: null,
  resets_at: null,
  pinned: true,
  clock_offset_seconds: 0,
  counts: { jobs: 1, procurements: 0, credentials: 2, subscriptions: 0 },
  bytes: 4096,
  uploads_bytes: 0,
  unavailable: null,
};

afterEach(cleanup);

it("a world names its node only if there are several", () => {
  const node = "0a0e6a70-0d2f-4f0e-9a43-0c7b3c1f5a11";
  show(<WorldFacts row={{ ...world, node }} />);
  expect(screen.getByText("node 0a0e6a70").title).toContain(node);
  cleanup();
  show(<WorldFacts row={{ ...world, node: null }} />);
  screen.getByText("on no node");
  cleanup();
  show(<WorldFacts row={world} />);
  expect(screen.queryByText(/node/)).toBeNull();
});
