// @vitest-environment jsdom
import { useQueryClient } from "@tanstack/react-query";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, it, vi } from "vitest";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { takeToken } from "../../../lib/session.ts";
import { setWorldClockOffset } from "../../../lib/world-clock.ts";
import "../../../testing/fresh-window.ts";
import { show } from "../../../testing/shown.tsx";
import { ClockSection } from "./clock-section.tsx";

afterEach(() => {
  cleanup();
  setWorldClockOffset(0);
  vi.unstubAllGlobals();
});

it("counts a chosen duration and time from the clock that somebody else moved", async () => {
  takeToken("token");
  let offset_seconds = 0;
  vi.stubGlobal("fetch", async () => {
    const now = new Date(Date.now() + offset_seconds * 1000).toISOString();
    return Response.json({ items: [], now, offset_seconds });
  });
  let readAgain: () => Promise<unknown> = async () => undefined;
  const Window = () => {
    const client = useQueryClient();
    readAgain = () => client.invalidateQueries({ queryKey: worldKeys("default").all });
    return <ClockSection isShown={false} />;
  };
  show(<Window />);
  fireEvent.change(await screen.findByLabelText("Custom duration"), { target: { value: "2 h" } });
  await screen.findByRole("button", { name: "Move clock 2 h ahead" });
  const move = async (seconds: number) => {
    offset_seconds = seconds;
    setWorldClockOffset(seconds);
    await act(readAgain);
  };
  await move(5 * 3600);
  await screen.findByRole("button", { name: "Move clock 2 h ahead" });
  fireEvent.click(screen.getByRole("radio", { name: /^Over the weekend/ }));
  await move(60 * 86_400);
  await screen.findByRole("button", { name: /^Move clock [1-9].* ahead$/ });
});
