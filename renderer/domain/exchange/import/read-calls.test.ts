import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeptRequest, sentHeaders } from "../../../lib/curl.ts";
import { asHttpFile } from "../../../lib/snippets.ts";
import type { Imported } from "./imported.ts";
import { MOST_IMPORTED, readCalls } from "./read-calls.ts";

const origin = "http://127.0.0.1:4026";
const read = (text: string): Imported => {
  const imported = readCalls(text);
  return "problem" in imported ? expect.unreachable(imported.problem) : imported;
};

const text = fc.string({
  unit: fc.constantFrom(
    ...Array.from("`$(){}<>|&;!#*?[]~=%^'\"\\ \n\t\r-@a1é•’:,/\u2028"),
    ...["{{a}}", "###", "\n###", "\n< /etc/passwd", "\n> {% x %}", "@a = 1", "isk_••••91bc", "HTTP/1.1"],
  ),
});
const path = fc.string({ unit: fc.constantFrom(...Array.from("/ab.?=&%-_~!$'()*+,;:@{}")) }).map((rest) => `/${rest}`);
const headers = fc.array(
  fc.tuple(
    fc.constantFrom("accept", "authorization", "content-type", "host", "x-a"),
    text.map((one) => one.replaceAll(/\s+/g, " ").trim()),
  ),
  { maxLength: 4 },
);

describe("an HTTP file", () => {
  it("that this explorer wrote is the call again, whatever was in it", () =>
    fc.assert(
      fc.property(
        fc.record({
          method: fc.constantFrom("POST", "GET", "DELETE"),
          path,
          request_headers: headers,
          request_body: fc.oneof(
            text,
            fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
          ),
        }) satisfies fc.Arbitrary<KeptRequest>,
        (kept) => {
          const file = asHttpFile(kept, origin);
          if (file === null) return;
          const { format, calls, leftOut } = read(file);
          expect([format, calls.length, leftOut]).toEqual(["HTTP file", 1, []]);
          const sent = sentHeaders(kept).map(([name, value]) => [name, value.replace(/\S*••\S*/, "put-the-key-here")]);
          expect(calls[0]).toMatchObject({
            method: kept.method,
            url: origin + kept.path.replaceAll("{", "%7B").replaceAll("}", "%7D"),
            headers: sent,
          });
          const { body } = calls[0] ?? expect.unreachable();
          const meant = (one: string): unknown => {
            try {
              return JSON.parse(one);
            } catch {
              return one;
            }
          };
          expect(meant(body)).toEqual(meant(kept.request_body));
        },
      ),
    ));

  it("has variables, names, comments, addresses in several lines and a body each", () => {
    const { calls } = read(
      [
        "@host = http://x",
        "@base = {{host}}/api",
        "# a remark",
        "### First of all",
        "POST {{base}}/a",
        "    ?b=1",
        "    &c=2 HTTP/1.1",
        "content-type: application/json",
        "// not a header",
        "authorization: Bearer {{key}}",
        "",
        '{"a": "@not = a variable"}',
        "",
        "### named otherwise",
        "# @name second",
        "{{base}}/b",
      ].join("\n"),
    );
    expect(calls).toEqual([
      {
        name: "First of all",
        method: "POST",
        url: "http://x/api/a?b=1&c=2",
        headers: [
          ["content-type", "application/json"],
          ["authorization", "Bearer {{key}}"],
        ],
        body: '{"a": "@not = a variable"}',
        leftOut: [{ what: "{{key}}", why: expect.stringContaining("does not say") }],
      },
      { name: "second", method: "GET", url: "http://x/api/b", headers: [], body: "", leftOut: [] },
    ]);
  });

  it("names a line that is nothing by its number", () => {
    const file = readCalls("### One\nPOST http://a/b\nx: 1\nno header\n\n{}\n\n### Two\nwhat is this\n");
    if ("problem" in file) return expect.unreachable(file.problem);
    expect(file.calls.map(({ leftOut }) => leftOut.map(({ what }) => what))).toEqual([["line 4: no header"]]);
    expect(file.leftOut.map(({ what }) => what)).toEqual(["line 9: what is this"]);
  });

  it("reads no file and runs no script: it says so", () => {
    const { calls } = read(
      "< {%\n request.variables.set('a', 1)\n%}\nPOST http://x\nnonsense\n\n{}\n< ./job.json\n> {% client.test() %}\n>> out.json\n",
    );
    expect(calls[0]).toMatchObject({ url: "http://x", body: "{}" });
    expect(calls[0]?.leftOut.map(({ what }) => what)).toEqual([
      "< {%\n request.variables.set('a', 1)\n%}",
      "< ./job.json",
      "> {% client.test() %}",
      ">> out.json",
      "line 5: nonsense",
    ]);
  });

  it("with line ends of Windows is the same", () =>
    expect(read("POST http://x HTTP/1.1\r\na: 1\r\n\r\n{}\r\n").calls[0]).toMatchObject({
      url: "http://x",
      headers: [["a", "1"]],
      body: "{}",
    }));

  it("with variables in a circle, or ever larger ones, ends", () => {
    expect(read("@a = {{b}}\n@b = {{a}}\nGET http://x/{{a}}").calls[0]?.leftOut).toHaveLength(1);
    const bombs = Array.from({ length: 9 }, (_, n) => `@v${n} = ${`{{v${n + 1}}}`.repeat(100)}`).join("\n");
    expect(read(`${bombs}\nGET http://x/{{v0}}`).calls[0]?.url.length).toBeLessThan(3_000_000);
  });
});

describe("a HAR", () => {
  it("of another program is read without what is none of a call", () => {
    const request = {
      method: "POST",
      url: "http://x/",
      headers: [
        { name: ":authority", value: "x" },
        { name: "a", value: "1" },
        { name: 1, value: {} },
      ],
      cookies: [{ name: "c", value: "1" }],
      postData: { mimeType: "application/x-www-form-urlencoded", params: [{ name: "a", value: "1" }] },
    };
    const { calls, leftOut } = read(
      JSON.stringify({ log: { entries: [{ request }, {}, null, { request: { url: 1 } }] } }),
    );
    expect(leftOut).toEqual([{ what: "3 entries", why: "No request is in it." }]);
    expect(calls).toEqual([
      {
        name: "",
        method: "POST",
        url: "http://x/",
        headers: [["a", "1"]],
        body: "",
        leftOut: [
          { what: "cookies", why: expect.any(String) },
          { what: "postData.params", why: expect.any(String) },
        ],
      },
    ]);
  });

  it("with a body that is no text says so", () => {
    const postData = { text: btoa("\xff\xfe"), comment: "base64" };
    const { calls } = read(JSON.stringify({ log: { entries: [{ request: { url: "http://x", postData } }] } }));
    expect(calls[0]).toMatchObject({ body: "", leftOut: [{ what: "postData.text", why: expect.any(String) }] });
  });
});

describe("a text", () => {
  it.each([
    ["", "nothing in it"],
    ["  \n", "nothing in it"],
    ["hello there", "no cURL or PowerShell command"],
    ['{"a":1}', "no HAR"],
    ["{{{", "no HAR"],
    ["[1]", "no HAR"],
    ["### only a title", "No call"],
  ])("%j cannot be read, and the reason is said", (given, reason) =>
    expect(readCalls(given)).toEqual({ problem: expect.stringContaining(reason) }),
  );

  it("larger than 10 MiB is not looked at", () => {
    const fits = "curl http://x # ";
    expect(readCalls(fits.padEnd(MOST_IMPORTED, "é"))).toEqual({ problem: expect.stringContaining("10 MiB") });
    expect(readCalls(fits.padEnd(MOST_IMPORTED + 1, "a"))).toEqual({ problem: expect.stringContaining("10 MiB") });
    expect(read(fits.padEnd(MOST_IMPORTED, "a")).calls).toHaveLength(1);
  });

  it("is told by what begins first in it", () => {
    expect(read("\uFEFFGET http://x\n\ncurl http://y").format).toBe("HTTP file");
    expect(read("curl http://y -d '\nGET http://x'").format).toBe("cURL");
  });

  it("never fails to be judged, whatever it is", () => fc.assert(fc.property(text, (one) => void readCalls(one))));
});
