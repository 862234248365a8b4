// @vitest-environment jsdom
import { Notifications } from "@mantine/notifications";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { openFile } from "../../lib/files.ts";
import { show } from "../../testing/shown.tsx";
import { useOpenWorldFile } from "./mutations.ts";

vi.mock("../../lib/files.ts", () => ({ openFile: vi.fn() }));

afterEach(cleanup);

const Open = () => {
  const open = useOpenWorldFile([]);
  return (
    <button type="button" onClick={() => open.mutate()}>
      Open
    </button>
  );
};

it.each([
  ["no world", "w.json isn’t an exported world: it isn’t complete JSON. Export the world again."],
  ["{}", "w.json isn’t an exported world: its format isn’t “integrations-explorer-world”."],
  ['{"format":"integrations-explorer-worlds"}', "Export one world and open that file."],
])("refuses a file that isn’t an exported world: %s", async (content, words) => {
  vi.mocked(openFile).mockResolvedValue({ name: "w.json", bytes: new TextEncoder().encode(content) });
  show(
    <>
      <Notifications />
      <Open />
    </>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Open" }));
  expect((await screen.findByRole("alert")).textContent).toContain(words);
});
