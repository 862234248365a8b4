import net, { type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Behaviour, createSender, listen, okAnswer as ok, one, receiver } from "../testing/scripted-receiver.ts";
import { describeFailure, ForbiddenAddressError, type Stage } from "./failures.ts";
import { guardedLookup } from "./lookup.ts";
import { MAX_RESPONSE_BYTES } from "./send.ts";

const http = (port: number): string => `http://127.0.0.1:${port}/hooks?a=b`;

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

describe("sending", () => {
  it("reuses one connection for consecutive requests, and records exactly what was sent", async () => {
    const { port, seen } = await receiver((socket, count) => socket.write(ok(`${count}`)));
    const { send } = createSender(http(port));
    const sent = [await send(), await send(), await send()];
    expect(sent.map(({ status, body, acknowledged }) => [status, body.toString(), acknowledged])).toEqual([
      [200, "1", true],
      [200, "2", true],
      [200, "3", true],
    ]);
    expect(seen).toMatchObject({ connections: 1, requests: 3 });
    const headers = sent[0]?.prepared.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    expect(seen.bytes.slice(0, seen.bytes.length / 3)).toBe(`POST /hooks?a=b HTTP/1.1\r\n${headers}\r\n{}`);
  });

  it("keeps its connection after a response, however long ago", async () => {
    const { port, seen } = await receiver((socket) => socket.write(ok()));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { send } = createSender(http(port));
    await send();
    vi.advanceTimersByTime(11_000);
    await send();
    expect(seen.connections).toBe(1);
  });

  it("keeps response headers in order with repeats, and the exact bytes", async () => {
    const { port } = await receiver((socket) =>
      socket.write(
        "HTTP/1.1 503 Later\r\nSet-Cookie: a\r\nX: y\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\n\xff\0",
        "latin1",
      ),
    );
    expect(await one(http(port))).toMatchObject({
      status: 503,
      headers: [
        ["set-cookie", "a"],
        ["x", "y"],
        ["set-cookie", "b"],
        ["content-length", "2"],
      ],
      body: Buffer.from([0xff, 0]),
      ...{ acknowledged: false, truncated: false, error: null },
    });
  });

  it("D88: skips unrequested interim responses before each response of a connection", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    const { port, seen } = await receiver((socket, count) =>
      socket.write(`${CONTINUE}${early}HTTP/1.1 100\r\nX: y\r\n\r\n${ok(`${count}`)}`),
    );
    const { send } = createSender(http(port));
    for (const body of ["1", "2"])
      expect(await send()).toMatchObject({
        ...{ status: 200, acknowledged: true, error: null, headers: [["content-length", "1"]] },
        body: Buffer.from(body),
      });
    expect(seen.connections).toBe(1);
  });

  it("D88: skips an interim response that arrives byte by byte", async () => {
    const { port } = await receiver((socket) => {
      socket.setNoDelay(true);
      const left = [...(CONTINUE + ok())];
      const timer = setInterval(() => socket.write(left.shift() ?? ""), 2);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await one(http(port))).toMatchObject({ status: 200, acknowledged: true, error: null });
  });

  it("D88: skips empty lines before an interim response", async () => {
    const { port } = await receiver((socket) => socket.write(`\r\n${CONTINUE}\r\n${CONTINUE}${ok()}`));
    expect(await one(http(port))).toMatchObject({ status: 200, acknowledged: true, error: null });
  });

  it("keeps a body that looks like an interim response", async () => {
    const { port } = await receiver((socket) => socket.write(ok(CONTINUE)));
    expect((await one(http(port))).body.toString()).toBe(CONTINUE);
  });

  it("keeps a body whose second part looks like another protocol", async () => {
    const alert = Buffer.from("15030300020246", "hex");
    const { port } = await receiver((socket) => {
      socket.setNoDelay(true);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${alert.length}\r\n\r\n`);
      setTimeout(() => socket.write(alert), 20);
    });
    expect(await one(http(port))).toMatchObject({ acknowledged: true, body: alert });
  });

  it("D72: follows no redirect, and names its target", async () => {
    const { port, seen } = await receiver((socket) =>
      socket.write("HTTP/1.1 307 There\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"),
    );
    expect(await one(http(port))).toMatchObject({ status: 307, error: expect.stringMatching(/leads to \/elsewhere$/) });
    expect(seen.requests).toBe(1);
    const nowhere = await receiver((socket) => socket.write("HTTP/1.1 304 Same\r\nContent-Length: 0\r\n\r\n"));
    expect(await one(http(nowhere.port))).toMatchObject({ status: 304, error: null });
  });

  it.each([
    [299, null],
    [300, "redirects are not followed; this one leads to /hooks"],
    [399, "redirects are not followed; this one leads to /hooks"],
    [400, null],
  ])("with status %i and a location: %j", async (status, error) => {
    const { port } = await receiver((socket) =>
      socket.write(`HTTP/1.1 ${status} X\r\nLocation: /hooks\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(await one(http(port))).toMatchObject({ status, error, acknowledged: false });
  });

  it("names only the beginning of a redirect's long target", async () => {
    const { port } = await receiver((socket) =>
      socket.write(`HTTP/1.1 302 There\r\nLocation: /${"x".repeat(600)}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect((await one(http(port))).error).toMatch(/ \/x{499}$/);
  });

  it("records how long the response took", async () => {
    const { port } = await receiver((socket) => socket.write(ok()));
    const began = performance.now();
    const { duration_ms } = await one(http(port));
    expect(duration_ms).toBeGreaterThan(0);
    expect(duration_ms).toBeLessThan(performance.now() - began);
  });

  it("opens a new connection if the receiver closed the kept one", async () => {
    const { port, seen } = await receiver((socket) => socket.end(ok()));
    const { send } = createSender(http(port));
    await send();
    expect(await send()).toMatchObject({ status: 200, error: null });
    expect(seen.connections).toBe(2);
  });

  it("tries a name's next address if the first refuses", async () => {
    const { port } = await receiver((socket) => socket.write(ok()));
    expect(await one(`http://localhost:${port}/`)).toMatchObject({ status: 200, error: null });
  });
});

describe("the reason for a missing response", () => {
  it.each<[string, Behaviour, RegExp]>([
    ["closed", (socket) => socket.end(), /^the receiver closed the connection without a response$/],
    ["reset", (socket) => socket.resetAndDestroy(), /^the receiver closed the connection without a response$/],
    ["not HTTP", (socket) => socket.write("220 mail.example.com ESMTP\r\n"), /^the response is not HTTP\/1\.1/],
    [
      "a status below 100",
      (socket) => socket.end("HTTP/1.1 099 No\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
      /^the response is not HTTP\/1\.1/,
    ],
    ["half a head", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-"), /^the response broke off/],
    [
      "half a body",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
      /^the response broke off/,
    ],
  ])("%s", async (_, behave, words) => {
    const { port } = await receiver(behave);
    expect(await one(http(port))).toMatchObject({ acknowledged: false, error: expect.stringMatching(words) });
  });

  it("an incomplete response keeps its received part", async () => {
    const { port } = await receiver((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
    expect(await one(http(port))).toMatchObject({ status: 200, body: Buffer.from("half"), truncated: true });
  });

  it("no listener", async () => {
    const closed = await new Promise<number>((resolve) => {
      const server = net.createServer().listen(0, "127.0.0.1", () => {
        const free = (server.address() as AddressInfo).port;
        server.close(() => resolve(free));
      });
    });
    const refused = "connection refused: nothing listens at this address";
    for (const host of ["127.0.0.1", "localhost"])
      expect(await one(`http://${host}:${closed}/`)).toMatchObject({ status: null, truncated: false, error: refused });
  });

  it.each<[string, Stage, string, RegExp]>([
    ["EPIPE", "waiting", "write EPIPE", /without a response$/],
    ["ECONNRESET", "answering", "read ECONNRESET", /in the middle of it$/],
    ["ECONNRESET", "connecting", "read ECONNRESET", /as soon as it was opened$/],
    ["UND_ERR_SOCKET", "answering", "other side closed", /in the middle of it$/],
    ["HPE_INVALID_STATUS", "answering", "Invalid status", /^the response is not HTTP\/1\.1: Invalid status$/],
    ["EPROTO", "connecting", "handshake", /^TLS failed: EPROTO$/],
    ["EPROTONOSUPPORT", "connecting", "not supported", /^no connection: not supported$/],
  ])("%s while %s", (code, stage, message, words) => {
    expect(describeFailure(Object.assign(new Error(message), { code }), stage)).toMatch(words);
  });

  const bytes = (hex: string) => Buffer.from(hex, "hex");
  it.each<[string, "http" | "https", Buffer, string]>([
    ["only HTTP/2, without TLS", "http", bytes("000000040000000000"), "the receiver speaks HTTP/2 only"],
    ["only HTTP/2, over TLS", "https", bytes("15030300020278"), "the receiver speaks HTTP/2 only"],
    ["TLS", "http", bytes("15030300020246"), "the receiver expects TLS at this port"],
    ["no TLS", "https", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), "the receiver doesn’t speak TLS"],
    ["TLS and refuses the handshake", "https", bytes("15030300020228"), "TLS failed: ERR_SSL_"],
  ])("a receiver that speaks %s", async (_, scheme, answer, words) => {
    const port = await listen(
      net.createServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => socket.end(answer));
      }),
    );
    const { error } = await one(`${scheme}://127.0.0.1:${port}/`);
    expect(error?.slice(0, words.length)).toBe(words);
    expect(error).not.toContain("\n");
  });

  it("an untrusted certificate", () => {
    const of = (code: string) => describeFailure(Object.assign(new Error("a\nb"), { code }), "connecting");
    expect(of("DEPTH_ZERO_SELF_SIGNED_CERT")).toMatch(/certificate is self-signed/);
    expect(of("UNABLE_TO_VERIFY_LEAF_SIGNATURE")).toMatch(/issued by a CA that isn’t trusted/);
    expect(of("ERR_TLS_CERT_ALTNAME_INVALID")).toMatch(/for another host name/);
    expect(of("CERT_REVOKED")).toBe("TLS failed: CERT_REVOKED");
  });

  it("unknown name", async () => {
    expect((await one("http://nobody.invalid/")).error).toMatch(
      /^the host name (was not found|could not be looked up \(\w+\))$/,
    );
  });
});

describe("D77: a forbidden address", () => {
  it("is refused before each connection, literal or resolved", async () => {
    const { port, seen } = await receiver((socket) => socket.write(ok()));
    const nowhere = () => false;
    for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
      expect((await one(`http://${host}:${port}/`, nowhere)).error).toMatch(/where notifications may not be sent$/);
    expect(seen.connections).toBe(0);
  });

  const isPublic = (address: string): boolean => !address.startsWith("10.");
  const lookUp = (addresses: readonly string[], options: { readonly all?: boolean } = {}): Promise<unknown[]> => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    return new Promise((resolve, reject) => {
      guardedLookup(async () => found, isPublic)("hooks.example.com", options, (error, ...given) =>
        error ? reject(error) : resolve(given),
      );
    });
  };

  it("is refused at any position among a name's addresses, and so is a name without addresses", async () => {
    expect(await lookUp(["192.0.2.1", "2001:db8::1"])).toEqual(["192.0.2.1", 4]);
    expect(await lookUp(["192.0.2.1"], { all: true })).toEqual([[{ address: "192.0.2.1", family: 4 }]]);
    for (const addresses of [["10.0.0.1"], ["192.0.2.1", "10.0.0.1"], ["10.0.0.1", "192.0.2.1"]])
      for (const all of [true, false])
        await expect(lookUp(addresses, { all })).rejects.toThrow(/hooks\.example\.com resolves to 10\.0\.0\.1/);
    await expect(lookUp([])).rejects.toThrow(ForbiddenAddressError);
  });
});

describe("an attempt at its time limit", () => {
  it.each<[string, Behaviour, string]>([
    ["before a response", () => undefined, "no response within 0.2 s"],
    ["in its head", (socket) => socket.write("HTTP/1.1 200 OK\r\n"), "the response didn’t end within 0.2 s"],
    [
      "in its body, whatever its status",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
      "the response didn’t end within 0.2 s",
    ],
    [
      "during interim responses",
      (socket) => {
        const drip = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 10);
        socket.on("close", () => clearInterval(drip));
      },
      "the response didn’t end within 0.2 s",
    ],
  ])("%s fails and closes its connection", async (_, behave, error) => {
    let closed = false;
    const { port } = await receiver((socket, ...counts) => {
      socket.on("close", () => (closed = true));
      behave(socket, ...counts);
    });
    expect(await one(http(port), undefined, 200)).toMatchObject({ acknowledged: false, error });
    await expect.poll(() => closed).toBe(true);
  });

  it("fails if the handshake doesn't finish", async () => {
    const port = await listen(net.createServer((socket) => socket.on("error", () => undefined)));
    expect((await one(`https://127.0.0.1:${port}/`, undefined, 200)).error).toBe("no connection within 0.2 s");
  });
});

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
/** Sends endless data while it is read. */
const flood =
  (begin: string, more: string): Behaviour =>
  (socket) => {
    socket.write(begin);
    const text = more.repeat(Math.ceil(4_096 / more.length));
    const write = (): void => {
      while (!socket.destroyed && socket.write(text));
    };
    socket.on("drain", write);
    write();
  };
const whole =
  (text: string): Behaviour =>
  (socket) =>
    socket.end(text, "latin1");

describe("D88: a response above 64 KiB in total, or without valid HTTP", () => {
  it.each<[string, Behaviour]>([
    ["a body with a length", flood("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", "x")],
    ["a body without one", flood("HTTP/1.1 200 OK\r\n\r\n", "x")],
    ["chunks", flood(CHUNKED, "1\r\nx\r\n")],
    ["chunk extensions", flood(`${CHUNKED}1`, ";x=y")],
    ["trailers", flood(`${CHUNKED}0\r\n`, "X: y\r\n")],
    ["headers", flood("HTTP/1.1 200 OK\r\n", "X: y\r\n")],
    ["one header", flood("HTTP/1.1 200 OK\r\nX: ", "y")],
    ["spaces within a header", flood("HTTP/1.1 200 OK\r\nConnection: x", " ")],
    ["folded lines", flood("HTTP/1.1 200 OK\r\nX: y\r\n", " \r\n")],
    ["interim responses", flood("", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")],
    ["empty lines", flood("", "\r\n")],
    ["a reason", flood("HTTP/1.1 200 ", "O")],
    ["an invalid status", whole("HTTP/1.1 099 No\r\n\r\n")],
    ["a status of two digits", whole("HTTP/1.1 20 OK\r\n\r\n")],
    ["both a length and chunks", whole(`${CHUNKED.slice(0, -2)}Content-Length: 5\r\n\r\n0\r\n\r\n`)],
    ["two lengths", whole("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx")],
    ["a negative length", whole("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")],
    ["NUL in a header", whole("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n")],
    ["mixed line ends", whole("HTTP/1.1 200 OK\nX: y\n\r\nContent-Length: 0\r\n\r\n")],
    ["a header without a colon", whole("HTTP/1.1 200 OK\r\nno header\r\n\r\n")],
    ["an invalid chunk", whole(`${CHUNKED}zz\r\n`)],
    ["a chunk above its declared length", whole(`${CHUNKED}1\r\nabc\r\n0\r\n\r\n`)],
    ["another protocol", whole("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")],
    ["HTTP/2", whole("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")],
  ])("%s: fails immediately", async (_, behave) => {
    const { port } = await receiver(behave);
    const began = performance.now();
    const sent = await one(http(port), undefined, 5_000);
    expect(sent).toMatchObject({ acknowledged: false, error: expect.not.stringContaining(" within ") });
    expect(sent.body.length).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
    // Ample for any machine, but too short for a parser with quadratic time.
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it("starts at 64 KiB and one byte", async () => {
    const head = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;
    const most = MAX_RESPONSE_BYTES - head(65_000).length;
    for (const [length, acknowledged] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      const { port } = await receiver((socket) => socket.write(head(length) + "x".repeat(length)));
      expect(await one(http(port))).toMatchObject({ status: 200, acknowledged });
    }
  });

  it.each([
    ["in three thousand headers", "X: of headers\r\n".repeat(3_000)],
    ["in the spaces of one header", `Connection: x${" ".repeat(60_000)}y\r\n`],
  ])("doesn't include a head of nearly 64 KiB, %s", async (_, lines) => {
    const { port } = await receiver((socket) => socket.write(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`));
    expect(await one(http(port))).toMatchObject({ status: 200, acknowledged: true });
  });

  it("ends its connection, so that unexpected bytes aren't read as the next response", async () => {
    const { port } = await receiver((socket, count, inAll) => {
      if (inAll === 1) socket.write(ok() + ok("unasked"));
      else socket.write(ok(`${count}`));
    });
    const { send } = createSender(http(port));
    expect([(await send()).body.toString(), (await send()).body.toString()]).toEqual(["ok", "1"]);
  });
});
