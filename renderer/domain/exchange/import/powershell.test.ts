import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asPowerShell } from "../../../lib/curl.ts";
import { readCalls } from "./read-calls.ts";

const read = (text: string) => {
  const imported = readCalls(text);
  if ("problem" in imported) throw new Error(imported.problem);
  return imported;
};
const BODY = '{"identity":{"external":"walk-1"}}';

describe("a command of PowerShell", () => {
  it("is read as browsers copy it, with the session that is none of the call left out", () => {
    const { format, calls, leftOut } = read(`$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
Invoke-WebRequest -UseBasicParsing -Uri "http://x/api/a?b=1" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"accept"="*/*"
  "service-integration-id"="1"
} \`
-ContentType "application/json" \`
-Body "{\`"identity\`":{\`"external\`":\`"walk-1\`"}}"`);
    expect([format, leftOut]).toEqual(["PowerShell", []]);
    expect(calls).toEqual([
      {
        name: "",
        method: "POST",
        url: "http://x/api/a?b=1",
        headers: [
          ["accept", "*/*"],
          ["service-integration-id", "1"],
          ["content-type", "application/json"],
        ],
        body: BODY,
        leftOut: [expect.objectContaining({ what: expect.stringMatching(/^-websession/) })],
      },
    ]);
  });

  it("is read as people write it: variables, tables added to, JSON of a table, parameters in a table", () => {
    const { calls } = read(`$base = 'http://x'
$headers = @{ Authorization = "Bearer $key" }
$headers.Add('a', '1')
$headers["b"] = '2'
$body = @{ identity = @{ external = 'walk-1' }; parts = @(@{ quantity = 2; oem = $true }) } | ConvertTo-Json -Depth 5
$answer = Invoke-RestMethod "$base/jobs" -Method Post -Headers $headers -Body $body | Select-Object id
$all = @{ Uri = 'http://y'; Method = 'PUT' }
irm @all`);
    expect(calls.map(({ method, url }) => [method, url])).toEqual([
      ["POST", "http://x/jobs"],
      ["PUT", "http://y"],
    ]);
    expect(calls[0]?.headers).toEqual([
      ["Authorization", "Bearer $key"],
      ["a", "1"],
      ["b", "2"],
    ]);
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual({
      identity: { external: "walk-1" },
      parts: [{ quantity: 2, oem: true }],
    });
    expect(calls[0]?.leftOut.map(({ what }) => what)).toContain("| Select-Object id");
  });

  it("is read past switches, which take no value", () => {
    const { calls } = read(`irm -SkipCertificateCheck -Body '${BODY}' -Method Post http://x -Verbose`);
    expect(calls).toMatchObject([{ method: "POST", url: "http://x", body: BODY, leftOut: [] }]);
  });

  it("has the JSON of a table also where the command stands first", () => {
    const { calls } = read(
      "irm http://x -Method Post -Body (ConvertTo-Json @{ identity = @{ external = 'walk-1' } } -Depth 5)",
    );
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual(JSON.parse(BODY));
  });

  it("writes its answer to no file", () => {
    const { calls } = read("irm http://a/b -Method Post > out.json");
    expect([calls[0]?.url, calls[0]?.leftOut]).toEqual([
      "http://a/b",
      [{ what: "> out.json", why: "No file is written." }],
    ]);
  });

  it("says which variables it does not know", () => {
    const { calls } = read("iwr http://x -Headers @{ 'authorization' = 'Bearer ' + $env:API_KEY }");
    expect(calls[0]?.headers).toEqual([["authorization", "Bearer $env:API_KEY"]]);
    expect(calls[0]?.leftOut).toEqual([
      { what: "$env:API_KEY", why: expect.stringContaining("where the command is run") },
    ]);
  });

  it("is the same call again that was copied", () =>
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (value, body) => {
        const header = ["x-a", value] as const;
        const request = { method: "POST", path: "/a?b=1", request_headers: [header], request_body: body };
        const [call] = read(asPowerShell(request, "http://x")).calls;
        expect(call).toEqual({ name: "", method: "POST", url: "http://x/a?b=1", headers: [header], body, leftOut: [] });
      }),
    ));

  it("is read to its end, however it is nested or broken off", () => {
    for (const open of ["(", "@{a=", "@(", "'", '"', "[a]", "@'\n"])
      expect(read(`iwr http://x -Body ${open.repeat(20_000)}`).calls).toHaveLength(1);
  });
});
