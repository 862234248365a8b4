import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { failureReason } from "./forward.ts";

const failing = (code: string): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(`connect ${code}`), { code }) });

it.each([
  ["UND_ERR_SOCKET", "the connection broke"],
  ["ENETUNREACH", "no network"],
  ["ECONNREFUSED", "nothing answers at that address"],
  ["ENOTFOUND", "the host name was not found"],
])("describes %s", (code, words) => expect(failureReason(failing(code))).toBe(words));

it("gives the underlying cause instead of “fetch failed”", () =>
  expect(failureReason(new TypeError("fetch failed", { cause: new Error("bad day") }))).toBe("bad day"));

it("says what to do about a port that Node refuses to call", async () => {
  const error = await fetch("http://127.0.0.1:6000").catch((reason: unknown) => reason);
  expect(failureReason(error)).toBe("Node and browsers never call this port: choose another for your server");
});

it("describes a connection that broke during a response", async () => {
  const server = http.createServer((_, response) => {
    response.write("a");
    setImmediate(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const read = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then((answer) => answer.text());
  expect(await read.catch(failureReason)).toBe("the connection broke");
  server.close();
});
