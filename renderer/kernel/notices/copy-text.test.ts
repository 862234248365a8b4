import { expect, it, vi } from "vitest";
import { copyOrNotify } from "./copy-text.ts";
import { notify } from "./notices.tsx";

it("reports that the browser refused to copy", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("NotAllowedError")) } });
  const failed = vi.spyOn(notify, "failed").mockImplementation(() => undefined);
  expect(await copyOrNotify("x", "the job id")).toBe(false);
  vi.unstubAllGlobals();
  expect(failed).toHaveBeenCalledWith("Copy the job id", expect.any(Error));
});
