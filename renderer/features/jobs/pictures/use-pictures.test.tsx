// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { useJobPictures } from "./use-pictures.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, "", "/");
});

const credential = { api_key: "sbx_1", integration_id: "i", organization_id: "o" } as KeyedCredential;

/** A minimal XMLHttpRequest that always succeeds. */
class Put {
  readonly upload = {};
  readonly status = 200;
  readonly open = () => undefined;
  readonly abort = () => undefined;
  readonly setRequestHeader = () => undefined;
  onload = () => undefined;
  send = () => queueMicrotask(() => this.onload());
}

/** A service that responds only when allowed, and records the world of each call. */
const serviceThatWaits = () => {
  const called: (readonly [operation: string | undefined, world: string])[] = [];
  let answer = (): void => undefined;
  const isLet = new Promise<void>((resolve) => (answer = resolve));
  const fetchStub = async (path: string, { headers }: { headers: Record<string, string> }) => {
    const operation = path.split("/").at(-1);
    called.push([operation, headers["x-sandbox-tenant"] ?? "default"]);
    await isLet;
    const job = { id: "job", repairer_site_id: "site", images: [], job_number: "J-1" };
    const prepared = { upload_url: "http://localhost/__uploads/1", public_url: "http://localhost/__media/1/a.png" };
    return new Response(JSON.stringify(operation === "uploads.prepare" ? prepared : job));
  };
  vi.stubGlobal("fetch", fetchStub);
  vi.stubGlobal("XMLHttpRequest", Put);
  Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => undefined });
  return { called, answer };
};

it("sends pictures and their job to the world they were added in, even after a switch", async () => {
  const { called, answer } = serviceThatWaits();
  window.history.replaceState(null, "", "/jobs/job?world=first");
  const client = new QueryClient();
  const hook = renderHook(() => useJobPictures("job", credential), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => hook.result.current.add(["a", "b", "c", "d", "e", "f"].map((name) => new File(["x"], `${name}.png`))));
  hook.unmount();
  window.history.replaceState(null, "", "/jobs/job?world=second");
  answer();
  await waitFor(() => expect(called.map(([operation]) => operation)).toContain("repairer.jobs.insert"));
  expect(called.filter(([operation]) => operation === "uploads.prepare")).toHaveLength(6);
  expect(new Set(called.map(([, world]) => world))).toEqual(new Set(["first"]));
});
