// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { WorldDetail, WorldFacts } from "./world-detail.tsx";

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

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Shows a world that this window doesn't have open. */
const showDetail = async (row: object, snapshots: readonly object[]) => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) => {
    const operation = String(url).split("/").at(-1);
    const items =
      operation === "worlds.list" ? [{ ...world, ...row }] : operation === "snapshots.list" ? snapshots : [];
    return Response.json({ items });
  });
  show(<WorldDetail name="acme" />);
  return screen.findByRole("article", { name: "acme" });
};

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

it("a world of another window has a link instead of its clock and settings", async () => {
  const detail = await showDetail({}, []);
  await screen.findByText(/^Open this world to change its clock and settings\./);
  expect(detail.textContent).toContain("no recorded calls");
  expect(screen.queryByRole("region", { name: "Clock" })).toBeNull();
});

it("compares a snapshot with now", async () => {
  const snapshot = {
    ...{ world: "acme", kind: "saved", before: null, created_at: world.created_at, bytes: 1 },
    clock_offset_seconds: 0,
  };
  await showDetail({}, [
    { ...snapshot, name: "equal", counts: world.counts },
    { ...snapshot, name: "before", counts: { ...world.counts, jobs: 3 } },
  ]);
  const [, equal, before] = screen.getAllByRole("row");
  expect(equal?.textContent).toContain("Same counts as now");
  expect(before?.textContent).toContain("2 more jobs");
});

it("a damaged world without a snapshot says that its data is lost", async () => {
  const detail = await showDetail({ unavailable: "The file is not a database." }, []);
  expect(detail.textContent).toContain("The file is not a database. Calls to it return 503 world_unavailable.");
  expect(detail.textContent).toContain("This world has no snapshot. Its data is lost unless its file can be repaired");
});
