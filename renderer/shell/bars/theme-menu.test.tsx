// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../../testing/shown.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

it("announces the chosen theme and changes it", async () => {
  show(<ThemeMenu />);
  const open = () => fireEvent.click(screen.getByRole("button", { name: "Theme" }));
  const choice = (name: string) => screen.findByRole("menuitemradio", { name });
  open();
  expect((await choice("Dark")).getAttribute("aria-checked")).toBe("false");
  fireEvent.click(await choice("Dark"));
  await waitFor(() => expect(document.documentElement.dataset.mantineColorScheme).toBe("dark"));
  open();
  expect((await choice("Dark")).getAttribute("aria-checked")).toBe("true");
});
