// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { show } from "../testing/shown.tsx";
import { Dialog } from "./dialog.tsx";

afterEach(cleanup);

const Place = () => {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        New job
      </button>
      <Dialog opened={opened} title="New job" onClose={() => setOpened(false)}>
        <input aria-label="Number" data-autofocus />
      </Dialog>
    </>
  );
};

it("gives the focus back to where it was, also the second time it is opened, and begins anew", async () => {
  show(<Place />);
  const opener = screen.getByRole("button", { name: "New job" });
  for (const _time of ["first", "second"]) {
    opener.focus();
    fireEvent.click(opener);
    const field = await screen.findByLabelText<HTMLInputElement>("Number");
    expect(field.value).toBe("");
    fireEvent.change(field, { target: { value: "J-1" } });
    fireEvent.keyDown(field, { key: "Escape" });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  }
});
