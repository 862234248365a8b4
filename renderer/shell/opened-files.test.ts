// @vitest-environment jsdom
import { notificationsStore } from "@mantine/notifications";
import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { followOpenedFiles } from "./opened-files.ts";

it("refuses a dropped file that is neither a scenario nor a HAR", () => {
  followOpenedFiles(new QueryClient());
  const drop = new Event("drop", { cancelable: true });
  const dataTransfer = { types: ["Files"], files: [new File(["notes"], "notes.txt")] };
  window.dispatchEvent(Object.assign(drop, { dataTransfer }));
  expect(drop.defaultPrevented).toBe(true);
  expect(notificationsStore.getState().notifications.map(({ title }) => title)).toEqual([
    "Nothing here takes this file",
  ]);
});
