import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tier1List, uploadsList } from "../contract/control/operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsInsert, tier1Prepare, uploadsPrepare } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { RawConnection, rawHead } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const MIB = 1024 * 1024;
const mine = credentialHeaders(repairer);

describe("D6: the size of a body", () => {
  const list = operationPath(businessesList);
  const ofSize = (bytes: number): string => `{"x":"${"y".repeat(bytes - 8)}"}`;
  const chunked = (body: string): string =>
    `${rawHead(`POST ${list}`, { ...mine, "transfer-encoding": "chunked" })}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test("is at most one MiB, to the byte, with or without a declared length", async () => {
    expect((await service.raw(list, { body: ofSize(MIB), headers: mine })).status).toBe(200);
    expect(await service.raw(list, { body: ofSize(MIB + 1), headers: mine })).toMatchObject({
      status: 413,
      body: { type: "payload_too_large", message: expect.stringContaining("1 MiB") },
    });
    for (const [size, status] of [
      [MIB, 200],
      [MIB + 1, 413],
    ] as const) {
      const connection = await RawConnection.open(service.port);
      expect((await connection.send(chunked(ofSize(size))).answers(1))[0]?.status).toBe(status);
      connection.close();
    }
  });

  test("doesn't close the connection: a caller that is still sending gets the response and can call again", async () => {
    const connection = await RawConnection.open(service.port);
    connection.send(rawHead(`POST ${list}`, { ...mine, "content-length": String(2 * MIB) }));
    expect((await connection.answers(1))[0]?.status).toBe(413);
    connection.send("y".repeat(2 * MIB)).send(`${rawHead(`POST ${list}`, { ...mine, "content-length": "2" })}{}`);
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([413, 200]);
    connection.close();
  });

  test("is checked before the body is read, and changes nothing", async () => {
    const body = JSON.stringify({ identity: { external: "large" }, repairer_site_id: "x", padding: "y".repeat(MIB) });
    expect((await service.raw(operationPath(jobsInsert), { body, headers: mine })).status).toBe(413);
    const get = { identity: { external: "large" } };
    expect((await service.post("/api/2026-01/repairer.jobs.get", get, mine)).status).toBe(404);
  });

  test("of a picture is at most 20 MiB, to the byte", async () => {
    const picture = (bytes: number): Buffer<ArrayBuffer> => {
      const content = Buffer.alloc(bytes);
      content.write("\x89PNG\r\n\x1a\n", "latin1");
      return content;
    };
    const body = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
    const put = async (bytes: number): Promise<number> => {
      const { upload_url } = await service.ok(uploadsPrepare, body, repairer);
      const { pathname, search } = new URL(upload_url);
      const connection = await RawConnection.open(service.port);
      connection.send(rawHead(`PUT ${pathname}${search}`, { "content-length": String(bytes) })).send(picture(bytes));
      const [answer] = await connection.answers(1);
      connection.close();
      return answer?.status ?? 0;
    };
    expect([await put(20 * MIB), await put(20 * MIB + 1)]).toEqual([200, 413]);
  });
});

test("D64: an uploaded file is reachable at its public_url under any name", async () => {
  const names = [
    "front left.png",
    ".",
    "..",
    "../../etc/passwd",
    "a/b?c#d.png",
    "..\\..\\a.png",
    "..%2F..%2Fa.png",
    "a/",
    "%2e%2e",
    "%",
    " ",
    "\t",
    "\u{1f697}".repeat(4_096),
  ];
  for (const file_name of [...names, `${"x".repeat(4_092)}.png`]) {
    const body = { file_name, media_type: "image", type: "job_media" } as const;
    const { upload_url, public_url } = await service.ok(uploadsPrepare, body, repairer);
    const content = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100)]);
    expect((await fetch(upload_url, { method: "PUT", body: content })).status).toBe(200);
    expect(public_url).not.toMatch(/%2f|%5c/i);
    const served = await fetch(public_url ?? "");
    expect([file_name, served.status, served.headers.get("content-type")]).toEqual([file_name, 200, "image/png"]);
    expect((await service.control(uploadsList, { limit: 1 })).items[0]?.public_url).toBe(public_url);
  }
});

test("D11: three hundred concurrent calls all get a response, without a delay", async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, () => service.call(businessesList, {}, repairer)));
  expect(new Set(answers.map((one) => one.status))).toEqual(new Set([200]));
  for (const name of ["retry-after", "x-ratelimit-limit", "ratelimit-limit", "link"])
    expect(answers[0]?.headers.get(name)).toBeNull();
});

describe("tier1.prepare", () => {
  const queued = async (): Promise<number> => (await service.control(tier1List, { limit: 1 })).total;
  const prepare = (identifiers: unknown[], credential = repairer) =>
    service.call(tier1Prepare, { identifiers }, credential);

  test("D62: queues nothing from more than a thousand identifiers", async () => {
    const before = await queued();
    const many = Array.from({ length: 1001 }, (_, index) => ({ region: "NZ", plate: `Q${index}` }));
    expect((await prepare(many)).status).toBe(400);
    expect(await queued()).toBe(before);
    expect((await prepare(many.slice(1))).status).toBe(200);
    expect(await queued()).toBe(before + 1000);
  });

  test("D63: queues an identifier once per organization", async () => {
    const before = await queued();
    const same = [
      { chassis_number: "7A8DK0S1904128461" },
      { chassis_number: "7a8dk0s1904128461" },
      { region: "AU", state: "VIC", plate: "1XQ7KD" },
      { region: "AU", state: "VIC", plate: "1xq7kd" },
    ];
    await prepare(same);
    await prepare([...same, { region: "AU", state: "NSW", plate: "1XQ7KD" }]);
    expect(await queued()).toBe(before + 3);
    await prepare(same, supplier);
    expect(await queued()).toBe(before + 5);
  });

  test("returns invalid identifiers and queues the valid ones", async () => {
    const before = await queued();
    const { body } = await prepare([
      { region: "NZ", plate: "MIXED1" },
      1,
      { region: "US", plate: "X" },
      { region: "NZ", plate: "MIXED2" },
    ]);
    expect(body.invalid_identifiers.map((one) => one.input)).toEqual([1, { region: "US", plate: "X" }]);
    expect(await queued()).toBe(before + 2);
  });
});
