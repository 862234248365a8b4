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

it("refuses JSON of another kind with the kinds it opens", async () => {
  for (const text of ['{"hello":1}', "[]", "null"]) {
    const file = { name: "other.json", bytes: new TextEncoder().encode(text) };
    await expect(openDocument(file, new QueryClient())).rejects.toThrow(
      "other.json isn’t a scenario, a reproduction or a HAR.",
    );
  }
});
