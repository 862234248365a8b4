import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Imported } from "../../domain/exchange/import/imported.ts";
import { MAX_IMPORT_BYTES, readCalls } from "./read-calls.ts";

const read = (text: string): Imported => {
  const imported = readCalls(text);
  return "problem" in imported ? expect.unreachable(imported.problem) : imported;
};

const text = fc.string({
  unit: fc.constantFrom(
    ...Array.from("`$(){}<>|&;!#*?[]~=%^'\"\\ \n\t\r-@a1é•’:,/\u2028"),
    ...["curl ", "\ncurl http://x", "{{a}}", "$'", "${", "isk_••••91bc", "HTTP/1.1"],
  ),
});

describe("a HAR", () => {
  it("of another program is read without parts that aren't part of a call", () => {
    const request = {
      method: "POST",
      url: "http://x/",
      headers: [
        { name: ":authority", value: "x" },
        { name: "a", value: "1" },
        { name: 1, value: {} },
      ],
      postData: { mimeType: "text/plain", text: "a" },
    };
    const { calls, leftOut } = read(
      JSON.stringify({ log: { entries: [{ request }, {}, null, { request: { url: 1 } }] } }),
    );
    expect(leftOut).toEqual(["3 of 4 entries"]);
    expect(calls).toEqual([
      {
        method: "POST",
        url: "http://x/",
        headers: [["a", "1"]],
        body: "a",
        leftOut: [],
      },
    ]);
  });

  it("reports a body that isn't text", () => {
    const postData = { text: btoa("\xff\xfe"), comment: "base64" };
    const { calls } = read(JSON.stringify({ log: { entries: [{ request: { url: "http://x", postData } }] } }));
    expect(calls[0]).toMatchObject({ body: "", leftOut: ["the body, which is not text"] });
  });
});

describe("an imported text", () => {
  it.each([
    ["", "It is empty."],
    ["  \n", "It is empty."],
    ["hello there", "Not a cURL command or a HAR file."],
    ["GET http://x", "Not a cURL command or a HAR file."],
    ['{"a":1}', "It is JSON, but not a HAR. A HAR has log.entries."],
    ["{{{", "It is JSON, but not a HAR. A HAR has log.entries."],
    ["curl -X POST ^\n -d 1", expect.stringContaining("no address")],
    ['Invoke-WebRequest -Uri "http://x"', expect.stringContaining("as cURL, or")],
    ['$r = Invoke-RestMethod -Uri "http://x"', expect.stringContaining("as cURL, or")],
    [`curl -Uri http://x -Method POST -Body '{"a":1}'`, expect.stringContaining("a PowerShell command")],
    ["curl -Method POST -Uri http://x", expect.stringContaining("a PowerShell command")],
    ["curl `\n  -Method POST `\n  -Uri http://x", expect.stringContaining("a PowerShell command")],
    ["$r = curl -Uri http://x -UseBasicParsing", expect.stringContaining("a PowerShell command")],
  ])("%j is refused with a reason", (given, problem) => expect(readCalls(given)).toEqual({ problem }));

  it("above 10 MiB is not read", () => {
    const fits = "curl http://x # ";
    expect(readCalls(fits.padEnd(MAX_IMPORT_BYTES, "é"))).toEqual({ problem: expect.stringContaining("10 MiB") });
    expect(readCalls(fits.padEnd(MAX_IMPORT_BYTES + 1, "a"))).toEqual({ problem: expect.stringContaining("10 MiB") });
    expect(read(fits.padEnd(MAX_IMPORT_BYTES, "a")).calls).toHaveLength(1);
  });

  it("never throws, whatever its content", () => fc.assert(fc.property(text, (one) => void readCalls(one))));
});

it("reads a body that mentions PowerShell's parameters", () =>
  expect(read(`curl http://x -d 'use -Uri and -Method POST'`).calls).toHaveLength(1));

describe("a command after the folder of a Windows prompt", () => {
  it.each(["C:\\Users\\me> ", "PS C:\\Program Files\\x> ", "$ "])("is read after %j", (prompt) => {
    const { calls } = read(`${prompt}curl.exe http://x/a`);
    expect(calls.map(({ url }) => url)).toEqual(["http://x/a"]);
  });
});
