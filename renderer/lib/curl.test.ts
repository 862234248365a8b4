import { describe, expect, it } from "vitest";
import { asCurl } from "./curl.ts";

const request = {
  method: "POST",
  path: "/api/2026-01/repairer.jobs.get",
  request_headers: [
    ["Host", "127.0.0.1:4026"],
    ["authorization", "Bearer isk_••••••••91bc"],
    ["service-integration-id", "6b3a"],
    ["sec-fetch-mode", "cors"],
    ["content-type", "application/json"],
    ["content-length", "12"],
  ],
  request_body: '{"note":"it\'s"}',
} as const;

describe("an exchange as a cURL command", () => {
  it("sends what was sent, takes the key from the shell and leaves out what belongs to a connection", () =>
    expect(asCurl(request, "http://127.0.0.1:4026").split("\n")).toEqual([
      "curl -X POST 'http://127.0.0.1:4026/api/2026-01/repairer.jobs.get' \\",
      '  -H "authorization: Bearer $API_KEY" \\',
      "  -H 'service-integration-id: 6b3a' \\",
      "  -H 'content-type: application/json' \\",
      `  --data-raw '{"note":"it'\\''s"}'`,
    ]));
  it("has no body where none was sent, and keeps no part of a masked value", () => {
    const command = asCurl(
      { ...request, method: "GET", request_headers: [["x-api-key", "••••••••"]], request_body: "" },
      "http://localhost",
    );
    expect(command).toBe(`curl -X GET 'http://localhost/api/2026-01/repairer.jobs.get' \\\n  -H "x-api-key: $API_KEY"`);
  });
});
