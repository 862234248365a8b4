// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { requestParams } from "../../../domain/exchange/filter.ts";
import { show } from "../../../testing/shown.tsx";
import { Chips } from "./requests-list.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows the search as a chip that clears it", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const narrow = vi.fn();
  show(<Chips filter={requestParams.parse("?search=NKR482")} narrow={narrow} />);
  fireEvent.click(screen.getByRole("button", { name: "“NKR482” clear" }));
  expect(narrow).toHaveBeenCalledWith({ search: "" });
});
