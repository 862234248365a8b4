// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
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

it("restores focus on every close, and starts fresh", async () => {
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

it("restores focus if it is removed while open", async () => {
  let remove = (): void => undefined;
  const Job = () => {
    const [isThere, setThere] = useState(true);
    remove = () => setThere(false);
    return (
      <main id="place" tabIndex={-1}>
        {isThere && <Place />}
      </main>
    );
  };
  show(<Job />);
  const opener = screen.getByRole("button", { name: "New job" });
  opener.focus();
  fireEvent.click(opener);
  const field = await screen.findByLabelText("Number");
  await waitFor(() => expect(document.activeElement).toBe(field));
  act(remove);
  expect(document.activeElement?.id).toBe("place");
});

it("going back closes it and keeps the page", async () => {
  window.history.pushState(null, "", "/jobs");
  show(<Place />);
  fireEvent.click(screen.getByRole("button", { name: "New job" }));
  await screen.findByLabelText("Number");
  await act(async () => window.history.back());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(window.location.pathname).toBe("/jobs");
});

it("adds one history entry, however often it is opened and closed", async () => {
  window.history.pushState(null, "", "/overview");
  window.history.pushState(null, "", "/jobs");
  show(<Place />);
  const steps = window.history.length;
  for (const _time of ["first", "second", "third"]) {
    fireEvent.click(screen.getByRole("button", { name: "New job" }));
    fireEvent.keyDown(await screen.findByLabelText("Number"), { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
  expect(window.history.length).toBe(steps + 1);
});

it("does not affect the next page when it closes late", async () => {
  window.history.pushState(null, "", "/jobs");
  show(<Place />);
  fireEvent.click(screen.getByRole("button", { name: "New job" }));
  fireEvent.keyDown(await screen.findByLabelText("Number"), { key: "Escape" });
  window.history.pushState(null, "", "/orders");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(window.location.pathname).toBe("/orders");
});

it("doesn't go back if its page was left for another", async () => {
  window.history.pushState(null, "", "/jobs");
  const { unmount } = show(<Place />);
  fireEvent.click(screen.getByRole("button", { name: "New job" }));
  await screen.findByLabelText("Number");
  window.history.pushState(null, "", "/orders");
  unmount();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(window.location.pathname).toBe("/orders");
});
