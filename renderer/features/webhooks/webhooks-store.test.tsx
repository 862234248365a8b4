// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { openForm, useOpenForm } from "./webhooks-store.ts";

afterEach(cleanup);

it("a form that was left by going back is not open when the person comes again", () => {
  window.history.replaceState(null, "", "/webhooks");
  const place = renderHook(useOpenForm);
  act(() => openForm("subscribe"));
  expect(place.result.current).toBe("subscribe");
  act(() => navigate("/webhooks/lab"));
  expect(place.result.current).toBeNull();

  act(() => openForm("receiver"));
  place.unmount();
  expect(renderHook(useOpenForm).result.current).toBeNull();
});
