import net from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectionLimits } from "../config.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { requestsList } from "../contract/control/operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { parseAnswers, RawConnection, type RawResponse, rawHead, rawRequest } from "../testing/raw-connection.ts";

const mine = credentialHeaders(repairer);
const list = `POST ${operationPath(businessesList)}`;
const insert = `POST ${operationPath(jobsInsert)}`;
const site = "27dd09b9-f7a0-507e-99fd-e42e88e60a99";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const expectRefusal = (answer: RawResponse | undefined, status: number, type = "bad_request"): void => {
  expect(answer?.status).toBe(status);
  expect(answer?.headers.get("x-request-id")).toMatch(UUID);
  expect(answer?.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(JSON.parse(answer?.body ?? "")).toEqual({ type, message: expect.stringMatching(/^[A-Z].+\.$/) });
};

describe("slow and stalled callers", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(undefined, { limits: { headersMs: 300, requestMs: 500, checkMs: 20 } });
  });
  afterAll(() => service.end());

  test("one that stops inside its headers is cut off, in the contract's form", async () => {
    const connection = await RawConnection.open(service.port);
    const [answer, ...more] = await connection.sendAndEnd(`${list} HTTP/1.1\r\nhost: localhost\r\nx-half: `);
    expectRefusal(answer, 408);
    expect(more).toEqual([]);
  });

  test("one that stops inside its body is cut off, in the contract's form", async () => {
    const connection = await RawConnection.open(service.port);
    const [answer, ...more] = await connection.sendAndEnd(
      `${rawHead(list, { ...mine, "content-length": "20" })}{"half`,
    );
    expectRefusal(answer, 408);
    expect(more).toEqual([]);
  });

  test.each([
    ["stalls", "stalled", 408, (connection: RawConnection) => connection.ended],
    ["ends its side of the connection", "was closed", 400, (connection: RawConnection) => connection.half()],
    ["resets the connection", "was closed", 0, async (connection: RawConnection) => connection.reset()],
  ])("one that %s inside its body is on record, under the ID of its response", async (_, how, status, stop) => {
    const world = `cut-${status}`;
    await service.make(world);
    const headers = { ...mine, "x-sandbox-tenant": world, "content-length": "20" };
    const connection = (await RawConnection.open(service.port)).send(`${rawHead(list, headers)}{"half`);
    await stop(connection);
    const recorded = async () => (await service.control(requestsList, { world, cause: "body_aborted" })).items;
    await expect.poll(recorded).toMatchObject([{ status, integration_id: repairer.integration_id }]);
    const [{ id } = { id: "" }] = await recorded();
    const [answer] = parseAnswers(connection.received);
    expect(answer?.headers.get("x-request-id")).toBe(status === 0 ? undefined : id);
    const { refusal } = await service.control(requestsExplain, { world, id });
    expect(refusal).toMatchObject({ whose_side: "partner", what_to_do: expect.stringContaining("counts bytes") });
    expect(refusal?.sentence).toBe(
      `The connection ${how} before the whole body arrived. \`Content-Length\` is 20, and fewer bytes came.`,
    );
  });

  test("one that sends a malformed chunk is on record as unreadable", async () => {
    const world = "chunks";
    await service.make(world);
    const headers = { ...mine, "x-sandbox-tenant": world, "transfer-encoding": "chunked" };
    const [answer] = await (await RawConnection.open(service.port)).sendAndEnd(`${rawHead(list, headers)}{"half\r\n`);
    const id = answer?.headers.get("x-request-id") ?? "";
    const recorded = async () => (await service.control(requestsList, { world, cause: "unreadable" })).items;
    await expect.poll(recorded).toMatchObject([{ id, status: 400 }]);
    const { refusal } = await service.control(requestsExplain, { world, id });
    expect(refusal?.sentence).toMatch(/chunk of the body is malformed/);
  });

  test.each([
    ["its headers", `${list} HTTP/1.1\r\n`, "x-drop: x\r\n"],
    ["its body", rawHead(list, { ...mine, "content-length": "1000000" }), " "],
    ["its chunks", rawHead(list, { ...mine, "transfer-encoding": "chunked" }), "1\r\n \r\n"],
  ])("one that sends %s byte by byte gains no time", async (_, head, drop) => {
    const connection = (await RawConnection.open(service.port)).send(head);
    const dripping = setInterval(() => connection.send(drop), 20);
    const [answer] = parseAnswers(await connection.ended);
    clearInterval(dripping);
    expectRefusal(answer, 408);
  });

  test("one that sends nothing is cut off, and so is one that stalls in a later request", async () => {
    const silent = await RawConnection.open(service.port);
    const later = await RawConnection.open(service.port);
    expect((await later.send(rawRequest(list, mine)).answers(1))[0]?.status).toBe(200);
    later.send(`${list} HTTP/1.1\r\n`);
    expectRefusal(parseAnswers(await silent.ended)[0], 408);
    expectRefusal(parseAnswers(await later.ended)[1], 408);
  });

  test("a reader of the live feed has a response in progress and may stay", async () => {
    const authorization = `Bearer ${service.ready.control_token}`;
    const reader = (await RawConnection.open(service.port)).send(rawHead("GET /__sandbox/live", { authorization }));
    await reader.until((received) => received.includes("event: ready"));
    expect(reader.received.toLowerCase()).toContain("\r\nx-request-id: ");
    // By the time this call is cut off, the reader has been connected for longer than any limit.
    const stalled = (await RawConnection.open(service.port)).send(rawHead(list, { ...mine, "content-length": "20" }));
    await stalled.ended;
    await service.raw(operationPath(businessesList), { headers: mine });
    await reader.until((received) => received.includes("event: request"));
    expect(reader.over).toBe(false);
    reader.close();
  });

  test("a stalled request changes nothing, and the service continues", async () => {
    const body = JSON.stringify({
      identity: { external: "stalled" },
      repairer_site_id: "27dd09b9-f7a0-507e-99fd-e42e88e60a99",
    });
    const connection = await RawConnection.open(service.port);
    const head = rawHead(insert, { ...mine, "content-length": String(body.length + 1) });
    expectRefusal((await connection.sendAndEnd(head + body))[0], 408);
    const get = { identity: { external: "stalled" } };
    expect((await service.post("/api/2026-01/repairer.jobs.get", get, mine)).status).toBe(404);
  });
});

describe("connection limits", () => {
  const reading = async (service: TestService): Promise<RawConnection> => {
    const authorization = `Bearer ${service.ready.control_token}`;
    const reader = await RawConnection.open(service.port);
    await reader.send(rawHead("GET /__sandbox/live", { authorization })).until((text) => text.includes("event: ready"));
    return reader;
  };

  test("the number of connections is limited, and existing ones continue", async () => {
    const service = await startTestService(undefined, { limits: { connections: 2 } });
    const reader = await reading(service);
    const second = await RawConnection.open(service.port);
    expect((await second.send(rawRequest(list, mine)).answers(1))[0]?.status).toBe(200);
    expect(await (await RawConnection.open(service.port)).ended).toBe("");
    expect((await second.send(rawRequest(list, mine)).answers(2))[1]?.status).toBe(200);
    expect([reader.over, second.over]).toEqual([false, false]);
    for (const one of [reader, second]) one.close();
    await service.end();
  });

  test("callers that never read don't block others, and lose their connection", async () => {
    const places = 15;
    const service = await startTestService(undefined, { limits: { inactiveMs: 1_000, connections: places } });
    const greedy = rawRequest("GET /openapi.json").repeat(30);
    const sockets = Array.from({ length: places - 1 }, () => {
      const socket = net.connect(service.port, "127.0.0.1").on("error", () => undefined);
      return socket.once("connect", () => socket.write(greedy));
    });
    const other = await RawConnection.open(service.port);
    for (let count = 1; count <= 20; count += 1)
      expect((await other.send(rawRequest(list, mine)).answers(count)).at(-1)?.status).toBe(200);
    other.close();
    // All connections but one are taken. Others can connect only once those that never read were closed.
    const answered = async (): Promise<number> => {
      const others = await Promise.all(Array.from({ length: places - 1 }, () => RawConnection.open(service.port)));
      const last = rawRequest(list, { ...mine, connection: "close" });
      return (await Promise.all(others.map((one) => one.sendAndEnd(last)))).flat().length;
    };
    await expect.poll(answered, { timeout: 15_000, interval: 200 }).toBe(places - 1);
    for (const socket of sockets) socket.destroy();
    await service.end();
  });

  test("a caller that doesn't read gets no further calls processed until it reads", async () => {
    const service = await startTestService();
    const ahead = "sent-ahead";
    const body = JSON.stringify({ identity: { external: ahead }, repairer_site_id: site });
    const documents = 30;
    // More than the system buffers of unread responses.
    const sent = rawRequest("GET /openapi.json").repeat(documents) + rawRequest(insert, mine, body);
    const silent = net.connect(service.port, "127.0.0.1");
    silent.write(sent);
    const other = await RawConnection.open(service.port);
    const jobOf = async (): Promise<number | undefined> => {
      const asked = rawRequest(
        `POST ${operationPath(jobsGet)}`,
        mine,
        JSON.stringify({ identity: { external: ahead } }),
      );
      const before = parseAnswers(other.received).length;
      return (await other.send(asked).answers(before + 1)).at(-1)?.status;
    };
    for (let count = 0; count < 20; count += 1) expect(await jobOf()).toBe(404);
    let received = "";
    silent.setEncoding("latin1").on("data", (text: string) => {
      received += text;
    });
    await expect.poll(() => parseAnswers(received).length, { timeout: 10_000 }).toBe(documents + 1);
    expect(parseAnswers(received).map(({ status }) => status)).toEqual(Array(documents + 1).fill(200));
    expect(await jobOf()).toBe(200);
    silent.destroy();
    other.close();
    await service.end();
  });

  test("the configured limits match the headers, and all are set", async () => {
    const service = await startTestService();
    const connection = (await RawConnection.open(service.port)).send(rawRequest(list, mine));
    const [answer] = await connection.answers(1);
    expect(answer?.headers.get("keep-alive")).toBe(`timeout=${connectionLimits.keepAliveMs / 1_000}`);
    for (const [name, value] of Object.entries(connectionLimits)) expect(value, name).toBeGreaterThan(0);
    expect(connectionLimits.headersMs).toBeLessThanOrEqual(connectionLimits.requestMs);
    connection.close();
    await service.end();
  });
});

describe("one connection", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.end());
  const job = (external: string): string => JSON.stringify({ identity: { external }, repairer_site_id: site });

  test("carries several requests, and ends when the caller asks for it", async () => {
    const connection = await RawConnection.open(service.port);
    for (let count = 1; count <= 3; count += 1)
      expect((await connection.send(rawRequest(list, mine, "{}")).answers(count)).at(-1)?.status).toBe(200);
    const answers = await connection.sendAndEnd(rawRequest(list, { ...mine, connection: "close" }));
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200]);
    expect(answers.map((one) => one.headers.get("connection"))).toEqual([
      ...Array.from({ length: 3 }, () => "keep-alive"),
      "close",
    ]);
    expect(new Set(answers.map((one) => one.headers.get("x-request-id"))).size).toBe(4);
  });

  test("with pipelined requests answers all in order", async () => {
    const connection = await RawConnection.open(service.port);
    const requests = [
      rawRequest(insert, mine, job("pipelined-1")),
      rawRequest(list),
      rawRequest(insert, mine, job("pipelined-2")),
      rawRequest("GET /nowhere"),
      rawRequest(list, { ...mine, connection: "close" }),
    ];
    const answers = await connection.sendAndEnd(requests.join(""));
    expect(answers.map((one) => one.status)).toEqual([200, 401, 200, 404, 200]);
    expect(answers[0]?.body).toContain('"external_id":"pipelined-1"');
    expect(answers[2]?.body).toContain('"external_id":"pipelined-2"');
  });

  test.each([
    ["invalid chunks", `${rawHead(list, { ...mine, "transfer-encoding": "chunked" })}2\r\n{}\r\nzz\r\n`, 400],
    ["the start of TLS", Buffer.from([0x16, 3, 1, 0, 0xa5, 1, 0, 0, 0xa1, 3, 3]), 400],
    ["an invalid head", `${list} HTTP/1.1\r\nhost: localhost\r\nno colon\r\n\r\n`, 400],
    ["an address beyond the limit", rawHead(`${list}?${"x".repeat(17_000)}`), 431],
    ["headers beyond the limit", rawHead(list, { "x-long": "x".repeat(17_000) }), 431],
  ])("D91: with %s is refused and closed", async (_, bytes, status) => {
    const answers = await (await RawConnection.open(service.port)).sendAndEnd(bytes);
    expectRefusal(answers.at(-1), status);
  });

  test.each([
    ["and stays open", {}],
    ["and asks for its end", { connection: "close" }],
  ])("D91: bytes beyond a Content-Length that counts characters don't hide the response, %s", async (_, more) => {
    const body = JSON.stringify({ identity: { external: "Größe-Müller" }, repairer_site_id: site });
    const head = rawHead(insert, { ...mine, ...more, "content-length": String(body.length) });
    const connection = await RawConnection.open(service.port);
    const [answer, ...others] = await connection.sendAndEnd(Buffer.from(head + body));
    expect(answer?.status).toBe(422);
    expect(answer?.headers.get("connection")).toBe("close");
    expect(others).toEqual([]);
    const { refusal } = await service.control(requestsExplain, {
      ...{ world: "default", id: answer?.headers.get("x-request-id") ?? "" },
    });
    expect(refusal).toMatchObject({ cause: "json_cut", what_to_do: expect.stringMatching(/Content-Length/) });
  });

  test("D91: all calls before garbage get their response", async () => {
    const sent = [rawRequest(insert, mine, job("before-1")), rawRequest(list, mine), rawRequest(list)];
    const garbage = "no request\r\n";
    const connection = (await RawConnection.open(service.port)).send(sent.join("") + garbage);
    for (let count = 0; count < 20; count += 1) connection.send(garbage);
    const answers = parseAnswers(await connection.ended);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
  });

  test("D91: a malformed call is refused after the response to the one before", async () => {
    const malformed = `${rawHead(list, { ...mine, "transfer-encoding": "chunked" })}zz\r\n`;
    const connection = await RawConnection.open(service.port);
    const [first, second, ...others] = await connection.sendAndEnd(
      rawRequest(insert, mine, job("before-malformed")) + malformed,
    );
    expect(first?.status).toBe(200);
    expectRefusal(second, 400);
    expect(others).toEqual([]);
  });

  test("D91: garbage keeps no connection open for longer than one without traffic", async () => {
    const limited = await startTestService(undefined, { limits: { inactiveMs: 600 } });
    const effect = { hang: {} };
    await limited.control(faultsSet, { world: "default", operation: businessesList.id, effect, uses: 1 });
    const connection = (await RawConnection.open(limited.port)).send(`${rawRequest(list, mine, "{}")}garbage\r\n`);
    const dripping = setInterval(() => connection.send("x"), 50);
    expect(await connection.ended).toBe("");
    clearInterval(dripping);
    await limited.end();
  });

  test("asks for an expected body, and ignores protocol upgrades", async () => {
    const connection = await RawConnection.open(service.port);
    connection.send(rawHead(list, { ...mine, expect: "100-continue", "content-length": "2" }));
    await connection.until((received) => received.startsWith("HTTP/1.1 100 Continue\r\n\r\n"));
    expect((await connection.send("{}").answers(2))[1]?.status).toBe(200);
    const upgrade = { ...mine, connection: "upgrade", upgrade: "websocket" };
    expect((await connection.send(rawRequest(list, upgrade, "{}")).answers(3))[2]?.status).toBe(200);
    connection.close();
  });
});
