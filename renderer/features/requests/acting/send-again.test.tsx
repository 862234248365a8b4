// @vitest-environment jsdom
import { Notifications, notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { useSendAgain } from "./send-again.ts";

beforeEach(() => {
  takeToken("token");
  show(<Notifications />);
});
afterEach(() => {
  notifications.clean();
  cleanup();
  vi.unstubAllGlobals();
});

const replayed = { id: "new", world: "first", status: 200, error_code: null, differs_at: "status" };

/**
 * Sends the call "old" of the world "first" again; the response names the call "new" and waits until `answer` is
 * called.
 */
const sentAgain = (body: object = replayed, status = 200) => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  vi.stubGlobal("fetch", async () => {
    await answered;
    return new Response(JSON.stringify(body), { status });
  });
  window.history.replaceState(null, "", "/requests/old?world=first");
  const client = new QueryClient();
  const hook = renderHook(() => useSendAgain({ id: "old", status: 422 }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => hook.result.current.mutate({}));
  return { hook, answer };
};
const notice = () => screen.findByRole("alert");
const linkIn = (told: HTMLElement) => within(told).getByRole("link").getAttribute("href");

describe("a repeated call", () => {
  it("opens where it was sent", async () => {
    const { answer } = sentAgain();
    answer();
    expect(linkIn(await notice())).toContain("/requests/old");
    expect(window.location.pathname).toBe("/requests/new");
  });

  it.each([
    [{}, "Status changed from 422 to 200."],
    [{ status: 0 }, "Status changed from 422 to no response."],
    [{ status: 422, error_code: "unprocessable", differs_at: null }, "422 unprocessable again, with the same body."],
    [{ status: 422, differs_at: "/claim_number" }, "422 again. The first difference in the body is at /claim_number."],
  ])("names the differences: %o", async (sent, words) => {
    const { answer } = sentAgain({ ...replayed, ...sent });
    answer();
    expect((await notice()).textContent).toContain(words);
  });

  it.each([
    ["of the same world", "/jobs?world=first"],
    ["of another world", "/jobs?world=second"],
  ])("doesn't move a person who went to a place %s, and links to its own world", async (_where, address) => {
    const { hook, answer } = sentAgain();
    hook.unmount();
    window.history.replaceState(null, "", address);
    answer();
    expect(linkIn(await notice())).toBe("/requests/new?world=first");
    expect(window.location.pathname + window.location.search).toBe(address);
  });

  it("reports its failure even to a person who left", async () => {
    const { hook, answer } = sentAgain({ type: "not_found", message: "No such call." }, 404);
    hook.unmount();
    window.history.replaceState(null, "", "/jobs?world=second");
    answer();
    const told = await notice();
    expect(told.textContent).toContain("No such call.");
    expect(linkIn(told)).toBe("/requests/old?world=first");
  });
});
