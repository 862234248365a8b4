// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { EndDialog } from "./parts.tsx";

afterEach(cleanup);

it("says in the dialog of one thing nothing of why another was not deleted", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const error = new Error("A is still in use.");
  const ending = { mutateAsync: vi.fn<() => Promise<unknown>>(), variables: { id: "a" }, error, isPending: false };
  const asked = (id: string) => (
    <MantineProvider>
      <EndDialog of={{ id }} what="Receiver" verb="Delete" ending={ending} onClose={() => {}}>
        {`Delete ${id}?`}
      </EndDialog>
    </MantineProvider>
  );
  const { rerender } = render(asked("a"));
  expect(await screen.findByText(error.message)).toBeDefined();
  rerender(asked("b"));
  expect(await screen.findByText("Delete b?")).toBeDefined();
  expect(screen.queryByText(error.message)).toBeNull();
  vi.unstubAllGlobals();
});
