import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CopiedRequest, toCurl, toPowerShell } from "./curl.ts";

const origin = "http://127.0.0.1:4026";
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

/** The arguments that a shell would pass to cURL. */
const pasted = (shell: string, command: string): string[] =>
  execFileSync(shell, ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    env: { API_KEY: "isk_$key" },
    stdio: ["ignore", "pipe", "inherit"],
  })
    .toString()
    .split("\0")
    .slice(0, -1);

const hostile = fc.string({
  unit: fc.constantFrom(
    ...Array.from("`$(){}<>|&;!#*?[]~=%^'\"\\ \n\t\r-@a1é•’"),
    "$IFS",
    "touch /tmp/x",
    "$(",
    "isk_••••91bc",
  ),
});

describe("an exchange as a cURL command", () => {
  it("sends the original request, reads the key from the shell, and omits connection headers", () =>
    expect(toCurl(request, origin).split("\n")).toEqual([
      "curl -X 'POST' 'http://127.0.0.1:4026/api/2026-01/repairer.jobs.get' \\",
      `  -H 'authorization: Bearer '"$API_KEY" \\`,
      "  -H 'service-integration-id: 6b3a' \\",
      "  -H 'content-type: application/json' \\",
      `  --data-raw '{"note":"it'\\''s"}'`,
    ]));
  it("has no body without one, and no part of a masked value", () => {
    const command = toCurl(
      { ...request, method: "GET", request_headers: [["x-api-key", "••••••••"]], request_body: "" },
      "http://localhost",
    );
    expect(command).toBe(
      `curl -X 'GET' 'http://localhost/api/2026-01/repairer.jobs.get' \\\n  -H 'x-api-key: '"$API_KEY"`,
    );
  });
  it.each(["sh", "bash"])("passes to %s the exact request, and runs nothing inside it", (shell) =>
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (method, path, value, body) => {
        const sent: CopiedRequest = { method, path, request_headers: [["accept", value]], request_body: body };
        expect(pasted(shell, toCurl(sent, origin))).toEqual([
          ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
          "-X",
          method,
          origin + path,
          "-H",
          `accept: ${value.replaceAll(/\S*••\S*/g, "isk_$key")}`,
          ...(body === "" ? [] : ["--data-raw", body]),
        ]);
      }),
      { numRuns: 15 },
    ),
  );
});

describe("an exchange as a PowerShell command", () => {
  it("sends the original request and reads the key from the environment", () =>
    expect(toPowerShell(request, origin).split("\n")).toEqual([
      "Invoke-WebRequest -UseBasicParsing -Method 'POST' -Uri 'http://127.0.0.1:4026/api/2026-01/repairer.jobs.get' `",
      "  -Headers @{",
      "    'authorization' = 'Bearer ' + $env:API_KEY",
      "    'service-integration-id' = '6b3a'",
      "    'content-type' = 'application/json'",
      "  } `",
      `  -Body ([Text.Encoding]::UTF8.GetBytes('{"note":"it''s"}'))`,
    ]));
  it("joins headers of one name, each with its own key, and keeps empty ones", () => {
    const kept = [
      ["x-key", "a isk_••91bc"],
      ["x-key", "isk_••91bc"],
      ["x-none", ""],
    ] as const;
    const command = toPowerShell({ ...request, request_headers: kept, request_body: "" }, origin);
    expect(command).toContain(`'x-key' = 'a ' + $env:API_KEY + ', ' + $env:API_KEY\n`);
    expect(command).toContain(`'x-none' = ''\n`);
  });
  it("doubles every character that PowerShell reads as a single quote", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."'‘’‚‛$(`;\"\n"), minLength: 1 }), (body) => {
        const command = toPowerShell({ ...request, request_headers: [], request_body: body }, origin);
        const quoted = /GetBytes\('(.*)'\)\)$/s.exec(command)?.[1] ?? "";
        expect(quoted.replaceAll(/['‘’‚‛]{2}/g, "")).not.toMatch(/['‘’‚‛]/);
        expect(quoted.replaceAll(/(['‘’‚‛])\1/g, "$1")).toBe(body);
      }),
    ));
});
