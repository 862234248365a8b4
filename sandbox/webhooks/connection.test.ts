import net, { type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { lostTries } from "../rules/lost-tries.ts";
import { type Behaviour, connectTo, listen, okAnswer as ok, one, receiver } from "../testing/scripted-receiver.ts";
import { OVERDUE_MS, TRY_TIMEOUT_MS } from "./connection.ts";

const http = (port: number): string => `http://127.0.0.1:${port}/`;

describe("a connection", () => {
  it("is used for one request after the other, and answers are told in their order", async () => {
    const { port, seen } = await receiver((socket, count) => socket.write(ok(`${count}`)));
    const { send } = connectTo(http(port));
    const told = [...(await send("a")), ...(await send("b", "c", "d"))];
    expect(told.map(({ item, status, body }) => `${item} ${status} ${body}`)).toEqual([
      "a 200 1",
      "b 200 2",
      "c 200 3",
      "d 200 4",
    ]);
    expect(seen).toEqual({ connections: 1, requests: 4 });
  });

  it("gives answers that came together the time since the one before in equal parts", async () => {
    let held = "";
    const { port } = await receiver((socket, count) => {
      held += ok();
      if (count === 4) socket.write(held);
    });
    const durations = (await connectTo(http(port)).send("a", "b", "c", "d")).map(({ durationMs }) => durationMs);
    expect(durations[0]).toBeGreaterThan(0);
    expect(new Set(durations).size).toBe(1);
  });

  it("is not used after an answer that says so: what was sent behind it is lost, and goes over another", async () => {
    const { port, seen } = await receiver((socket, count) => {
      if (count === 1) socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    });
    const { send } = connectTo(http(port));
    expect((await send("a", "b", "c")).map(({ item, status, lost }) => [item, status, lost])).toEqual([
      ["a", 200, false],
      ["b", null, true],
      ["c", null, true],
    ]);
    expect(await send("b")).toMatchObject([{ item: "b", status: 200, lost: false }]);
    expect(seen.connections).toBe(2);
  });

  it("that ends in the middle of several fails the one whose turn it was, and loses those behind it", async () => {
    const { port } = await receiver((socket, _, inAll) => {
      if (inAll === 3) socket.destroy();
    });
    expect((await connectTo(http(port)).send("a", "b", "c")).map(({ item, lost }) => [item, lost])).toEqual([
      ["a", false],
      ["b", true],
      ["c", true],
    ]);
  });

  it("that was closed while it was kept loses what was on its way, which may go again at once", async () => {
    const { port } = await receiver((socket, onConnection, inAll) => {
      if (onConnection === 1) socket.write(ok());
      else if (inAll === 2) socket.destroy();
    });
    const { send } = connectTo(http(port));
    await send("a");
    const [lost] = await send("b");
    expect(lost).toMatchObject({
      lost: true,
      status: null,
      error: expect.stringMatching(/closed the kept connection/),
    });
    expect(await send("b")).toMatchObject([{ status: 200, lost: false }]);
  });

  it("is given up for those that wait for so long that their timestamps would be refused: they go again", async () => {
    let answer = (): void => undefined;
    const { port, seen } = await receiver((socket, _, inAll) => {
      if (inAll !== 2) answer = () => socket.write(ok());
    });
    const { connection, send } = connectTo(http(port));
    const ended = send("a", "b");
    await expect.poll(() => seen.requests).toBe(2);
    const later = performance.now() + OVERDUE_MS + 1;
    const clock = vi.spyOn(performance, "now").mockReturnValue(later);
    onTestFinished(() => clock.mockRestore());
    answer();
    expect((await ended).map(({ item, status, lost, error }) => [item, status, lost, error])).toEqual([
      ["a", 200, false, null],
      ["b", null, true, lostTries.overdue],
    ]);
    expect(connection.open).toBe(false);
  });

  it("leads to a name's next address where nobody listens at the first", async () => {
    const { port } = await receiver((socket) => socket.write(ok()));
    expect(await one(`http://localhost:${port}/`)).toMatchObject({ status: 200, error: null });
  });

  it("ends when it was idle for as long as the receiver keeps it, or for some seconds", async () => {
    const { port, seen } = await receiver((socket, count) =>
      socket.write(count === 1 ? "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=3\r\nContent-Length: 0\r\n\r\n" : ok()),
    );
    const { connection, send } = connectTo(http(port));
    await send("a");
    connection.check(performance.now() + 1_500);
    expect(connection.open).toBe(true);
    connection.check(performance.now() + 2_001);
    expect(connection.open).toBe(false);
    await send("b");
    await send("c");
    connection.check(performance.now() + 3_000);
    expect(connection.open).toBe(true);
    connection.check(performance.now() + 4_001);
    expect([connection.open, seen.connections]).toEqual([false, 2]);
  });

  it("is worn out after a minute, however much it is used, so that its name is looked up again", async () => {
    const { port } = await receiver((socket) => socket.write(ok()));
    const { connection, send } = connectTo(http(port));
    expect(connection.wornOut(performance.now() + 60_001)).toBe(false);
    await send("a");
    expect([59_000, 60_001].map((ms) => connection.wornOut(performance.now() + ms))).toEqual([false, true]);
    connection.close();
    expect(connection.wornOut(performance.now() + 60_001)).toBe(false);
  });

  it("ends when something comes over it that nobody asked for", async () => {
    const { port } = await receiver((socket) => socket.write(ok() + ok("more")));
    const { connection, send } = connectTo(http(port));
    expect(await send("a")).toMatchObject([{ status: 200, body: Buffer.from("ok") }]);
    expect(connection.open).toBe(false);
  });
});

describe("why there was no answer is said in words that tell it apart", () => {
  it.each<[string, Behaviour, RegExp]>([
    ["closed", (socket) => socket.end(), /^the receiver closed the connection without an answer$/],
    ["reset", (socket) => socket.resetAndDestroy(), /^the receiver reset the connection without an answer$/],
    [
      "not HTTP",
      (socket) => socket.write("220 mail.example.com ESMTP\r\n"),
      /^the answer is not HTTP\/1\.1: it begins/,
    ],
    ["half a head", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-"), /^the answer broke off/],
    [
      "half a body",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
      /^the answer broke off/,
    ],
  ])("%s", async (_, behave, words) => {
    const { port } = await receiver(behave);
    expect(await one(http(port))).toMatchObject({ error: expect.stringMatching(words), lost: false });
  });

  it("an answer that broke off keeps what came of it", async () => {
    const { port } = await receiver((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
    expect(await one(http(port))).toMatchObject({ status: 200, body: Buffer.from("half"), truncated: true });
  });

  it("nothing listens", async () => {
    const port = await listen(net.createServer());
    const closed = await new Promise<number>((resolve) => {
      const server = net.createServer().listen(0, "127.0.0.1", () => {
        const free = (server.address() as AddressInfo).port;
        server.close(() => resolve(free));
      });
    });
    expect(port).not.toBe(closed);
    expect((await one(http(closed))).error).toBe("connection refused: nothing listens at this address");
  });

  it("no such name", async () => {
    expect((await one("http://nobody.invalid/")).error).toMatch(
      /^the host name (was not found|could not be looked up)$/,
    );
  });

  it("D77: an address that may not be connected to, spelled or resolved", async () => {
    const { port, seen } = await receiver((socket) => socket.write(ok()));
    const nowhere = () => false;
    expect((await one(http(port), nowhere)).error).toMatch(/127\.0\.0\.1, where notifications may not be sent/);
    expect((await one(`http://localhost:${port}/`, nowhere)).error).toMatch(/where notifications may not be sent/);
    expect(seen.connections).toBe(0);
  });
});

describe("a try whose time is up", () => {
  const timeUp = (): number => performance.now() + TRY_TIMEOUT_MS + 1;
  const arrived = async (seen: { readonly requests: number }, count: number): Promise<void> =>
    expect.poll(() => seen.requests).toBe(count);

  it("ends without an answer; those behind it are lost, and had no time of their own yet", async () => {
    const { port, seen } = await receiver(() => undefined);
    const { connection, send } = connectTo(http(port));
    const ended = send("a", "b");
    await arrived(seen, 2);
    connection.check(performance.now());
    expect(connection.underWay).toBe(2);
    connection.check(timeUp());
    expect(await ended).toMatchObject([
      { item: "a", status: null, error: "no answer within 10 s", timedOut: true, lost: false },
      { item: "b", status: null, lost: true, durationMs: 0 },
    ]);
  });

  it("is measured from the answer before it, however long that took", async () => {
    let release: (() => void) | undefined;
    const { port, seen } = await receiver((socket, count) => {
      if (count === 1) release = () => socket.write(ok());
    });
    const { connection, send } = connectTo(http(port));
    const ended = send("a", "b");
    await arrived(seen, 2);
    const sentAt = performance.now();
    // The time of the first one is nearly up when it answers; the second one's begins then.
    release?.();
    await expect.poll(() => connection.underWay).toBe(1);
    connection.check(sentAt + TRY_TIMEOUT_MS - 1);
    expect(connection.underWay).toBe(1);
    connection.check(timeUp());
    expect(await ended).toMatchObject([{ status: 200 }, { error: "no answer within 10 s", timedOut: true }]);
  });

  it("says when an answer had begun", async () => {
    const { port } = await receiver((socket, count) => {
      if (count === 1) socket.write(`${ok()}HTTP/1.1 200 OK\r\n`);
    });
    const { connection, send } = connectTo(http(port));
    const ended = send("a", "b");
    await expect.poll(() => connection.underWay).toBe(1);
    connection.check(timeUp());
    expect((await ended)[1]?.error).toBe("the answer stopped in its head: no more of it came within 10 s");
  });

  it("is what its status says when only its body does not end, which is cut", async () => {
    let drops = 0;
    const { port } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const drip = setInterval(() => socket.write("1\r\nx\r\n", () => (drops += 1)), 1);
      socket.on("close", () => clearInterval(drip));
    });
    const { connection, send } = connectTo(http(port));
    const ended = send("a");
    // By then the first of them have been read as well.
    await expect.poll(() => drops).toBeGreaterThan(20);
    connection.check(timeUp());
    const [outcome] = await ended;
    expect(outcome).toMatchObject({ status: 200, error: null, truncated: true });
    expect(outcome?.body.toString()).toMatch(/^x+$/);
    expect(connection.open).toBe(false);
  });

  it("says when the handshake was not over", async () => {
    const port = await listen(net.createServer((socket) => socket.on("error", () => undefined)));
    const { connection, send } = connectTo(`https://127.0.0.1:${port}/`);
    const ended = send("a");
    await expect
      .poll(async () => {
        connection.check(timeUp());
        return (await Promise.race([ended, []])).at(0)?.error ?? "";
      })
      .toMatch(/^(TLS failed: no end of the handshake|no connection) within 10 s$/);
  });
});
