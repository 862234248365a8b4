// @vitest-environment jsdom
import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { openDocument } from "./open-document.ts";

it("refuses a file that isn’t JSON, with its name", async () => {
  const file = { name: "broken.json", bytes: new TextEncoder().encode("{") };
  await expect(openDocument(file, new QueryClient())).rejects.toThrow("broken.json is not valid JSON.");
  const page = { name: "story.html", bytes: new TextEncoder().encode("<!doctype html><title>A story</title>") };
  await expect(openDocument(page, new QueryClient())).rejects.toThrow("Open it in a browser.");
});
