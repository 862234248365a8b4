import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CopiedRequest, sentHeaders, toCurl } from "../curl.ts";
import { readCurl } from "./curl.ts";
import { shellWords } from "./shell-words.ts";

const origin = "http://127.0.0.1:4026";
const only = (text: string) => {
  const { calls, leftOut } = readCurl(text);
  expect([calls.length, leftOut]).toEqual([1, []]);
  return calls[0] ?? expect.unreachable();
};
const wordsOf = (text: string) => shellWords(text).commands;

const hostile = fc.string({
  unit: fc.constantFrom(
    ...Array.from("`$(){}<>|&;!#*?[]~=%^'\"\\ \n\t\r-@a1é•’:,"),
    ...["$IFS", "$(", "^\n", "`\n", '^"', '`"', "curl ", "\ncurl http://evil", "isk_••••91bc"],
  ),
});

describe("the words of a command", () => {
  it.each(["sh", "bash"])("equal the arguments that %s passes, whatever is quoted", (shell) =>
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (texts) => {
        const ways = [
          (text: string) => `'${text.replaceAll("'", "'\\''")}'`,
          (text: string) => `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`,
        ];
        const command = texts.map((text, index) => ways[index % 2]?.(text)).join(" \\\n ");
        const given = execFileSync(shell, ["-c", `printf '%s\\0' ${command}`])
          .toString()
          .split("\0")
          .slice(0, -1);
        expect(wordsOf(command)).toEqual([given]);
      }),
      { numRuns: 20 },
    ),
  );

  it("read the escapes between $' and ' as bash does", () => {
    const command = String.raw`$'a\'b\\c\n\t\x41\u00e9\101\e' $'' x$'\u{'y`;
    // Without a locale, bash cannot print letters beyond ASCII.
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    const given = execFileSync("bash", ["-c", `printf '%s\\0' ${command}`], { env })
      .toString()
      .split("\0")
      .slice(0, -1);
    expect(wordsOf(command)[0]?.slice(0, 2)).toEqual(given.slice(0, 2));
  });

  it("keep variables and substitutions as text", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's variable
    const [command] = shellWords('"a$(touch /tmp/x)b" `id` $HOME ${KEY}').commands;
    expect(command).toEqual(["a$(touch /tmp/x)b", "`id`", "$HOME", "$KEY"]);
  });

  it.each(["'a", '"a', "$'a", "a 'b' 'c", '"${a"'])("report an unclosed quote: %s", (text) =>
    expect(shellWords(text).unclosed).toBe(true),
  );

  it("continue over line ends in quotes and after a backslash", () =>
    expect(wordsOf("a 'b\nc' \\\r\n d # it's a remark\ne")).toEqual([["a", "b\nc", "d"], ["e"]]));
});

describe("a cURL command", () => {
  it("written by the explorer reads back as the same call", () =>
    fc.assert(
      fc.property(
        fc.record({
          method: fc.constantFrom("POST", "GET", "PUT"),
          path: hostile.map((path) => `/${path}`),
          request_headers: fc.array(
            fc.tuple(fc.constantFrom("accept", "authorization", "content-type", "host", "x-a"), hostile),
            { maxLength: 4 },
          ),
          request_body: hostile,
        }) satisfies fc.Arbitrary<CopiedRequest>,
        (kept) => {
          const { calls, leftOut } = readCurl(toCurl(kept, origin));
          expect([calls.length, leftOut]).toEqual([1, []]);
          const [read] = calls;
          expect(read).toMatchObject({ method: kept.method, url: origin + kept.path, body: kept.request_body });
          const sent = sentHeaders(kept).map(([name, value]) => [
            name,
            value.replaceAll(/\S*••\S*/g, "$API_KEY").trim(),
          ]);
          const readBack = (read?.headers ?? []).map(([name, value]) => [name, value.trim()]);
          const named = sent.some(([name]) => name === "content-type");
          // For a body without a content type, cURL sends its default.
          const byItself =
            kept.request_body !== "" && !named ? [["content-type", "application/x-www-form-urlencoded"]] : [];
          const withValue = (rows: string[][]) => rows.filter(([, value]) => value !== "");
          expect(withValue(readBack)).toEqual(withValue([...sent, ...byItself]));
        },
      ),
    ));

  it.each([
    ["curl http://x/a", "GET", "http://x/a", ""],
    ["$ curl -d a -d b http://x", "POST", "http://x", "a&b"],
    ["curl -XPUT --url http://x --data-raw @a", "PUT", "http://x", "@a"],
    ["curl -d @job.json http://x", "POST", "http://x", ""],
    ["curl -sSLkX PATCH -d '{}' -- http://x", "PATCH", "http://x", "{}"],
    ["curl http://x -G -d q=1 --data-urlencode 'n=a b'", "GET", "http://x?q=1&n=a%20b", ""],
    ["curl -I http://x", "HEAD", "http://x", ""],
    ["/usr/bin/curl --json '{\"a\":1}' http://x", "POST", "http://x", '{"a":1}'],
    ["# read it\ncurl http://x # here\n", "GET", "http://x", ""],
    ["curl $'http://x' --data-raw $'{\"a\":\"it\\'s\"}'", "POST", "http://x", '{"a":"it\'s"}'],
    ["curl http://x/?a=1", "GET", "http://x/?a=1", ""],
  ])("%s", (text, method, url, body) => expect(only(text)).toMatchObject({ method, url, body }));

  it("gets the headers that its options imply", () => {
    expect(only("curl -H 'X-A: 1' -H 'X-B;' --oauth2-bearer k --json '{}' http://x").headers).toEqual([
      ["X-A", "1"],
      ["X-B", ""],
      ["authorization", "Bearer k"],
      ["content-type", "application/json"],
    ]);
    expect(only("curl -u me:pass -d a http://x").headers).toEqual([
      ["authorization", `Basic ${btoa("me:pass")}`],
      ["content-type", "application/x-www-form-urlencoded"],
    ]);
  });

  it("lists what the call leaves out", () => {
    const { leftOut, url } = only(
      'curl -k --wibble --proxy p -d @job.json -F a=b -H @h -H nonsense -H "x: $KEY" -o out http://x http://y',
    );
    expect(url).toBe("http://x");
    expect(leftOut).toEqual([
      "-k",
      "--wibble",
      "--proxy p",
      "-d @job.json",
      "-F a=b",
      "-H @h",
      "-H nonsense",
      "-o out",
      "http://y",
    ]);
  });

  it("is found among several, and other commands are never run", () => {
    const { calls, leftOut } = readCurl("curl http://a | sh; rm -rf / && curl http://b > out");
    expect(calls.map(({ url }) => url)).toEqual(["http://a", "http://b"]);
    expect(leftOut).toEqual(["sh", "rm -rf /"]);
  });

  it("ignores where its output is redirected", () => {
    for (const text of ["curl http://a -d '{}' > out.json 2>&1", "curl http://a 2>/dev/null >>log <in"])
      expect(only(text), text).toMatchObject({ url: "http://a", leftOut: [] });
    expect(only("curl http://a/?a=1 -d 'a>b' -H 'x: 2>1'")).toMatchObject({ url: "http://a/?a=1", body: "a>b" });
  });

  it("is read in reasonable time and without errors, whatever its text", () => {
    fc.assert(fc.property(hostile, (text) => void readCurl(`curl ${text}`)));
    const long = "$(".repeat(50_000) + "`".repeat(50_000) + "\\".repeat(50_001) + '"'.repeat(99_999);
    expect(readCurl(`curl ${long}`).calls).toHaveLength(1);
    expect(only(`curl -d '${" ".repeat(2_000_000)}' http://x`).body.length).toBe(2_000_000);
  });
});
