// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { requestParams } from "../../../domain/exchange/filter.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { listParameters } from "../queries.ts";
import { AgentMenu } from "./filter-menus.tsx";

const everything = requestParams.parse("");

beforeEach(() => takeToken("token"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("filters by a user agent of recent calls, loaded when the menu opens", async () => {
  const fetched = vi.fn(async () => Response.json({ items: [{ user_agent: "PartsBridge/7.4", calls: 12 }] }));
  vi.stubGlobal("fetch", fetched);
  const narrow = vi.fn();
  show(<AgentMenu filter={everything} narrow={narrow} />);
  expect(fetched).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("combobox", { name: "User agent" }));
  fireEvent.click(await screen.findByRole("option", { name: "PartsBridge/7.4" }));
  expect(narrow).toHaveBeenCalledWith({ agent: "PartsBridge/7.4" });
  expect(listParameters({ ...everything, agent: "PartsBridge/7.4" })).toEqual({ user_agent: "PartsBridge/7.4" });
});
