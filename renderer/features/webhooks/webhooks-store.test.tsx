// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { openForm, useFormOpen } from "./webhooks-store.ts";

afterEach(cleanup);

it("a form left by navigation is closed on return", () => {
  window.history.replaceState(null, "", "/webhooks");
  const place = renderHook(useFormOpen);
  act(() => openForm());
  expect(place.result.current).toBe(true);
  act(() => navigate("/webhooks/lab"));
  expect(place.result.current).toBe(false);

  act(() => openForm());
  place.unmount();
  expect(renderHook(useFormOpen).result.current).toBe(false);
});
