// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { credentialsQuery } from "../../../kernel/queries/world-queries.ts";
import { takeToken } from "../../../lib/session.ts";
import { useAnalysis } from "./analysis.ts";
import { pastedBody } from "./lab-store.ts";
import { BODY, ENVELOPE, OTHER_SECRET, SECRET, signed } from "./signed.ts";

beforeEach(() => {
  takeToken("token");
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("uses the current secret, even if the number of secrets is unchanged", async () => {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const known = (webhook_secret: string) =>
    client.setQueryData(credentialsQuery("default").queryKey, [
      { integration_id: ENVELOPE.integration_id, organization_name: "Tarn & Rowe", scope: "repairer", webhook_secret },
    ] as never);
  known(OTHER_SECRET);
  const header = await signed();
  const pasted = {
    ...pastedBody(BODY),
    header,
    secretOf: "body",
    secret: "",
    at: ENVELOPE.webhook_timestamp,
    from: null,
  };
  const { result } = renderHook(() => useAnalysis(pasted), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await waitFor(() =>
    expect(result.current).toMatchObject({ noSecret: null, settled: true, explained: { match: null } }),
  );
  act(() => known(SECRET));
  await waitFor(() => expect(result.current.explained?.match?.secret).toBe("as_given"));
});
