import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCurl } from "./curl.ts";
import { withoutPrompts } from "./terminal-text.ts";
import { windowsWords } from "./windows-words.ts";

const call = {
  method: "POST",
  url: "http://127.0.0.1:4026/api/2026-01/repairer.jobs.get",
  headers: [["Content-Type", "application/json"]],
  body: '{"identity":{"external":"QA-1"}}',
  leftOut: [],
};

describe("a cURL command for Windows", () => {
  it.each([
    [
      "cmd, as Postman writes it",
      String.raw`curl --location "http://127.0.0.1:4026/api/2026-01/repairer.jobs.get" ^
--header "Content-Type: application/json" ^
--data "{\"identity\":{\"external\":\"QA-1\"}}"`,
    ],
    [
      "cmd with a quoted method",
      String.raw`curl -X "POST" ^
"http://127.0.0.1:4026/api/2026-01/repairer.jobs.get" ^
-H "Content-Type: application/json" ^
-d "{\"identity\":{\"external\":\"QA-1\"}}"`,
    ],
    [
      "cmd, as browsers write it",
      String.raw`curl ^"http://127.0.0.1:4026/api/2026-01/repairer.jobs.get^" ^
  -H ^"Content-Type: application/json^" ^
  --data-raw ^"^{^\^"identity^\^":^{^\^"external^\^":^\^"QA-1^\^"^}^}^"`,
    ],
    [
      "PowerShell with backticks",
      `curl.exe -X POST \`
"http://127.0.0.1:4026/api/2026-01/repairer.jobs.get" \`
-H "Content-Type: application/json" \`
-d '{\\"identity\\":{\\"external\\":\\"QA-1\\"}}'`,
    ],
    [
      "PowerShell with plain quotes",
      `curl -Method POST \`
`.replace("-Method", "-X") +
        `  'http://127.0.0.1:4026/api/2026-01/repairer.jobs.get' \`
  -H 'Content-Type: application/json' \`
  -d '{"identity":{"external":"QA-1"}}'`,
    ],
    [
      "PowerShell in one line",
      `curl.exe http://127.0.0.1:4026/api/2026-01/repairer.jobs.get -H 'Content-Type: application/json' -d '{\\"identity\\":{\\"external\\":\\"QA-1\\"}}'`,
    ],
    [
      "PowerShell in one line with backticks before quotes",
      'PS C:\\Users\\me> curl -X POST http://127.0.0.1:4026/api/2026-01/repairer.jobs.get -H "Content-Type: application/json" -d "{`"identity`":{`"external`":`"QA-1`"}}"',
    ],
    [
      "cmd in one line with doubled quotes",
      'C:\\Users\\me>curl -X POST http://127.0.0.1:4026/api/2026-01/repairer.jobs.get -H "Content-Type: application/json" -d "{""identity"":{""external"":""QA-1""}}"',
    ],
    [
      "PowerShell with its prompts",
      `PS C:\\Users\\me> curl.exe -X POST \`
>> "http://127.0.0.1:4026/api/2026-01/repairer.jobs.get" \`
>> -H "Content-Type: application/json" \`
>> -d '{\\"identity\\":{\\"external\\":\\"QA-1\\"}}'
>>`,
    ],
    [
      "cmd with its prompts",
      String.raw`C:\Users\me>curl -X POST ^
More? "http://127.0.0.1:4026/api/2026-01/repairer.jobs.get" ^
More? -H "Content-Type: application/json" ^
More? -d "{\"identity\":{\"external\":\"QA-1\"}}"`,
    ],
    [
      "PowerShell with a here-string",
      `curl.exe -X POST "http://127.0.0.1:4026/api/2026-01/repairer.jobs.get" -H 'Content-Type: application/json' -d @'
{"identity":{"external":"QA-1"}}
'@`,
    ],
    ...[
      String.raw`& "C:\Program Files\x\curl.exe"`,
      String.raw`& C:\Windows\System32\curl.exe`,
      String.raw`"C:\Windows\System32\curl.exe"`,
      String.raw`C:\Windows\System32\curl.exe`,
      "& curl.exe",
      "'/usr/bin/curl'",
      "me@host:~$ curl",
      "(venv) me@host:~/work$ curl",
      "[me@host work]$ curl",
      "root@host:/# curl",
    ].map((program) => [
      program,
      `${program} -X POST http://127.0.0.1:4026/api/2026-01/repairer.jobs.get -H "Content-Type: application/json" -d '{"identity":{"external":"QA-1"}}'`,
    ]),
    [
      "a POSIX shell with its prompts",
      `$ curl -X POST \\
> http://127.0.0.1:4026/api/2026-01/repairer.jobs.get \\
> -H "Content-Type: application/json" \\
> -d '{"identity":{"external":"QA-1"}}'`,
    ],
  ])("of %s reads as the call that it would send", (_, text) => {
    const { calls, leftOut } = readCurl(withoutPrompts(text.replaceAll("\n", "\r\n")));
    expect(leftOut).toEqual([]);
    expect(calls).toEqual([call]);
  });

  it("of cmd with single quotes reads as it was meant, with a warning", () => {
    const { calls, leftOut } = readCurl(`curl -X POST 'http://127.0.0.1:4026/api/2026-01/repairer.jobs.get' ^
  -H 'Content-Type: application/json' ^
  -d '{"identity":{"external":"QA-1"}}'`);
    expect(calls).toEqual([call]);
    expect(leftOut).toEqual([expect.stringContaining("single quotes")]);
  });

  it.each(["^", "`", "\\"])("with a blank after a line's last %s reads as it was meant, with a warning", (mark) => {
    const lines = [
      "curl -X POST",
      '"http://127.0.0.1:4026/api/2026-01/repairer.jobs.get"',
      '-H "Content-Type: application/json"',
    ];
    const text = `${lines.map((line) => `${line} ${mark} \t\n`).join("")}-d "{}"`;
    const { calls, leftOut } = readCurl(text);
    expect(calls).toEqual([{ ...call, body: "{}" }]);
    expect(leftOut).toEqual([expect.stringContaining("a blank after")]);
  });

  it.each([
    "curl -X POST ^",
    "curl -X POST `",
    "curl -X POST \\ ",
    'curl -X POST ^\n "http://x"\ncurl -X POST `\n "http://y"',
  ])("never has a shell's mark as its address: %j", (text) => {
    const { calls } = readCurl(text);
    expect(calls.filter(({ url }) => !url.startsWith("http"))).toEqual([]);
  });

  it("keeps a blank at the end of a quoted line", () => {
    const text = "curl http://x -d 'a \\ \nb'";
    expect(readCurl(text)).toMatchObject({ calls: [{ body: "a \\ \nb" }], leftOut: [] });
  });

  it.each([
    String.raw`curl "http://x" ^
 -d "{\"note\":\"a 'b' c\"}"`,
    String.raw`curl ^"http://x^" ^
 -d ^"^{^\^"note^\^":^\^"a 'b' c^\^"^}^"`,
    `curl "http://x" ^
 -d "{""note"":""a 'b' c""}"`,
  ])("of cmd keeps apostrophes in a body: %s", (text) =>
    expect(readCurl(text)).toMatchObject({ calls: [{ body: `{"note":"a 'b' c"}` }], leftOut: [] }),
  );

  it("keeps backslash, percent sign and line end as cmd does", () => {
    const { calls } = readCurl(String.raw`curl ^"http://x/^" ^
  -d ^"a ^%^41 \\ C:\\dir\\^

b^" & curl ^"http://y/^"`);
    expect(calls.map(({ url, body }) => [url, body])).toEqual([
      ["http://x/", "a %41 \\\\ C:\\\\dir\\\\\nb"],
      ["http://y/", ""],
    ]);
  });

  it("reads doubled quotes as one", () => {
    expect(windowsWords('curl ^\n "a""b"', false)?.commands).toEqual([["curl", 'a"b']]);
    expect(windowsWords("curl `\n 'a''b' \"c\"\"d`n\"", false)?.commands).toEqual([["curl", "a'b", 'c"d\n']]);
  });

  it.each(['curl ^\n "a', "curl `\n 'a", 'curl `\n "a'])("reports an unclosed quote: %j", (text) =>
    expect(windowsWords(text, false)?.unclosed).toBe(true),
  );

  it.each([
    `curl http://x -d '{"a":"^"}'`,
    "curl http://x \\\n -d '`'",
    'curl http://x -d "$(date)" ',
    "curl http://x -d '^\ncurl ^\"'",
  ])("is not recognised: %j", (text) => expect(windowsWords(text, true)).toBeNull());

  it("without an address isn't a call", () => {
    expect(readCurl("curl -X POST ^\n -d 1")).toMatchObject({ calls: [], leftOut: ["curl -X POST -d 1"] });
  });

  it("is read in linear time, whatever its text", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("^`'\"\\\n;&| a")) }), (text) => {
        windowsWords(`curl ^\n${text}`, false);
        windowsWords(`curl \`\n${text}`, false);
      }),
    ));
});
