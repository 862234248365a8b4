import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CopiedRequest } from "./curl.ts";
import { toFetch, toPython } from "./snippets.ts";

const origin = "http://127.0.0.1:4026";
const KEY = 'isk_"$key\\';
const hostile = fc.string({
  unit: fc.constantFrom(
    ...Array.from("`$(){}<>|&;!#*?[]~=%^'\"\\ \n\t\r-@a1é•’\u2028\u0000😀"),
    '"""',
    "'''",
    "${",
    "*/",
    "\\u0022",
    "isk_••••91bc",
  ),
});
const request = fc.record({
  method: hostile,
  path: hostile.map((path) => `/${path}`),
  request_headers: fc.array(fc.tuple(fc.constantFrom("accept", "x-a", "authorization"), hostile), { maxLength: 4 }),
  request_body: hostile,
}) satisfies fc.Arbitrary<CopiedRequest>;

/** The expected request: headers of one name combined, the masked credential from the environment. */
const meant = ({ method, path, request_headers, request_body }: CopiedRequest) => {
  const headers: Record<string, string> = {};
  for (const [name, value] of request_headers) {
    const sent = value.replaceAll(/\S*••\S*/g, () => KEY);
    headers[name] = headers[name] === undefined ? sent : `${headers[name]}, ${sent}`;
  }
  return { method, url: origin + path, headers, body: request_body };
};

describe("an exchange as JavaScript", () => {
  it("sends the original request, whatever its content", async () => {
    const AsyncFunction = (async () => undefined).constructor as new (
      ...source: string[]
    ) => (...values: unknown[]) => Promise<void>;
    await fc.assert(
      fc.asyncProperty(request, async (kept) => {
        const sent: unknown[] = [];
        const fetching = async (url: string, { body = "", ...rest }: { body?: string }) => {
          sent.push({ url, body, ...rest });
          return { text: async () => "" };
        };
        const run = new AsyncFunction("fetch", "process", "console", toFetch(kept, origin));
        await run(fetching, { env: { API_KEY: KEY } }, { log: () => undefined });
        expect(sent).toEqual([meant(kept)]);
      }),
    );
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe("an exchange as Python", () => {
  it.skipIf(!hasPython)("sends the original request, whatever its content (if Python is installed)", () => {
    const kept = fc.sample(request, 200);
    const script = `
import json, os, sys, types
os.environ["API_KEY"] = ${JSON.stringify(KEY)}
sent = []
def request(method, url, headers, data=b""):
    sent.append({"method": method, "url": url, "headers": headers, "body": data.decode()})
    return types.SimpleNamespace(status_code=200, text="")
sys.modules["requests"] = types.SimpleNamespace(request=request)
out, sys.stdout = sys.stdout, open(os.devnull, "w")
for program in json.load(sys.stdin):
    exec(program, {})
json.dump(sent, out)
`;
    const answer = execFileSync("python3", ["-c", script], {
      input: JSON.stringify(kept.map((one) => toPython(one, origin))),
      stdio: ["pipe", "pipe", "inherit"],
    });
    expect(JSON.parse(answer.toString())).toEqual(kept.map(meant));
  });
});
