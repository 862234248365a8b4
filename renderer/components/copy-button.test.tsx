// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { show } from "../testing/shown.tsx";
import { CopyButton } from "./copy-button.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("reports the copy and keeps its width, with its label hidden", async () => {
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: () => Promise.resolve() } });
  show(<CopyButton text="it" what="this for your partner" label="Copy for partner" />);
  fireEvent.click(screen.getByRole("button", { name: "Copy for partner" }));
  const button = await screen.findByRole("button", { name: "Copied" });
  const label = screen.getByText("Copy for partner");
  expect(button.contains(label)).toBe(true);
  expect(label.style.visibility).toBe("hidden");
  expect(label.style.display).not.toBe("none");
});
