import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { explorerAddress, placeNames, withWorld, worldInAddress } from "./explorer-address.ts";

const id = "0b0e5a4c-7a51-4a43-9d0e-1f1d3c5b9a00";

describe("an address in the explorer", () => {
  test.each([
    ["/", "/"],
    ["/jobs", "/jobs"],
    ["/jobs/", "/jobs"],
    [`/jobs/${id}/basket`, `/jobs/${id}/basket`],
    ["/webhooks/1?world=qa.2", "/webhooks/1?world=qa.2"],
    ["/jobs?search=front%20bumper&state=open", "/jobs?search=front+bumper&state=open"],
    ["/?world=qa", "/?world=qa"],
  ])("accepts %s", (text, address) => {
    expect(explorerAddress(text)).toBe(address);
  });

  test.each([
    "",
    "jobs",
    "https://example.test/",
    "//example.test/jobs",
    "/\\example.test/jobs",
    "/jobs/../__oauth/authorize",
    "/jobs/./1",
    "/jobs/..",
    "/jobs//1",
    "/jobs/%2e%2e/x",
    "/jobs/%252e%252e/x",
    "/jobs/1/basket/more",
    "/jobs/<script>",
    "/jobs/a b",
    "/jobs/ａ",
    "/jobs\n/1",
    "/jobs\u0000",
    "/__oauth/authorize?client_id=x",
    "/__media/1/x.png",
    "/__sandbox/live",
    "/api/2026-01/businesses.list",
    "/openapi.json",
    "/gallery",
    "/elsewhere",
    "/#token=x",
    "/jobs#token=x",
    "/jobs?token=x",
    "/jobs?search=%0d%0aset-cookie:x",
    "/jobs?world=../x",
    "/jobs?world=",
    `/jobs?world=${"x".repeat(65)}`,
    "/jobs?__proto__=1",
    "/jobs?<x>=1",
    "/jobs?%74oken=x",
    `/jobs?search=${"x".repeat(2000)}`,
    `/jobs?${"a=1&".repeat(17)}`,
    `/jobs/${"x".repeat(129)}`,
  ])("rejects %s", (text) => {
    expect(explorerAddress(text)).toBeNull();
  });

  test("may name a world", () => {
    expect(worldInAddress("/jobs?world=qa&state=open")).toBe("qa");
    expect(worldInAddress("/jobs?state=open")).toBeNull();
    expect(withWorld("/jobs?state=open", "qa")).toBe("/jobs?state=open&world=qa");
    expect(withWorld("/jobs?world=other", "qa")).toBe("/jobs?world=other");
    expect(withWorld("/", "default")).toBe("/?world=default");
  });

  test("covers every place of the explorer's rail and no other path", () => {
    const source = readFileSync(path.join(import.meta.dirname, "../../renderer/kernel/addresses/places.ts"), "utf8");
    const ofTheRail = [...source.matchAll(/name: "[a-z]+", path: "\/([a-z]*)"/g)].flatMap(([, name]) => name || []);
    expect(ofTheRail).not.toEqual([]);
    expect([...placeNames].sort()).toEqual(ofTheRail.sort());
  });
});
