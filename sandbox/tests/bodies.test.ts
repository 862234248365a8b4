import zlib from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsList } from "../contract/control/operations.ts";
import { worldsList } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert, partsInsert, uploadsPrepare } from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  type TestService,
} from "../testing/harness.ts";

let service: TestService;
let site = "";
let count = 0;
beforeAll(async () => {
  service = await startTestService();
  site = (await service.ok(businessesList, {}, repairer)).items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());

const mine = credentialHeaders(repairer);
const fresh = (): string => {
  count += 1;
  return `bodies:${count}`;
};
type Bytes = Uint8Array<ArrayBuffer>;
const list = (body: string | Bytes, headers: Record<string, string> = {}): Promise<ServiceResponse> =>
  service.raw(operationPath(businessesList), { body, headers: { ...mine, ...headers } });
const insert = (body: string | Bytes, headers: Record<string, string> = {}): Promise<ServiceResponse> =>
  service.raw(operationPath(jobsInsert), { body, headers: { ...mine, ...headers } });
const job = (external: string, more = ""): string =>
  `{"identity":{"external":${JSON.stringify(external)}},"repairer_site_id":"${site}"${more}}`;

describe("content types", () => {
  test.each([
    "application/json",
    "application/json;charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json ; x=y; z",
    "application/json;",
    "application/json; charset=utf-16",
    "Application/Json",
  ])("D4: JSON under %j is accepted, whatever the parameters", async (type) => {
    expect((await insert(job(fresh()), { "content-type": type })).status).toBe(200);
  });

  test("D4: JSON without a type is accepted, and an empty body needs none", async () => {
    expect((await insert(job(fresh()))).status).toBe(200);
    expect((await list("", { "content-type": "text/plain" })).status).toBe(200);
  });

  test.each([
    "text/plain",
    "text/json",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "application/jsonp",
    "application/json-patch+json",
    "application/vnd.api+json",
    "application/json, text/plain",
    "application",
    "json",
    "*/*",
    ";",
  ])("D4: a body under %j gets 415 and changes nothing", async (type) => {
    const before = await service.control(jobsList, { limit: 1 });
    for (const answer of [
      await insert(job(fresh()), { "content-type": type }),
      await list("{}", { "content-type": type }),
    ])
      expect(answer).toMatchObject({
        status: 415,
        body: { type: "unsupported_media_type", message: expect.any(String) },
      });
    expect((await service.control(jobsList, { limit: 1 })).total).toBe(before.total);
  });
});

test("D4: a web page can't subscribe an address with a simple request", async () => {
  const body = JSON.stringify({ integration_id: repairer.integration_id, url: "http://127.0.0.1:9/unasked" });
  const send = (type: string) => service.raw("/__webhooks/subscribe", { headers: { "content-type": type }, body });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
    expect(await send(type)).toMatchObject({ status: 415, body: { type: "unsupported_media_type" } });
  expect((await send("application/json")).status).toBe(200);
});

describe("encodings", () => {
  const text = `{"a":"é🚗"}`;
  const wide = (order: "le" | "be", mark: boolean): Bytes => {
    const units = Buffer.from((mark ? "\ufeff" : "") + text, "utf16le");
    return new Uint8Array(order === "le" ? units : units.swap16());
  };
  const bytes = (...values: number[]): Bytes => new Uint8Array([0x7b, 0x22, ...values, 0x22, 0x3a, 0x31, 0x7d]);

  test("D4: one leading BOM is dropped, and a body of only a BOM is empty", async () => {
    expect((await list(`\ufeff${text}`)).status).toBe(200);
    expect((await list("\ufeff")).status).toBe(200);
    expect((await list(`\ufeff\ufeff${text}`)).status).toBe(400);
    expect((await list(`{\ufeff}`)).status).toBe(400);
  });

  test.each<[string, Bytes]>([
    ["UTF-16, little end first", wide("le", true)],
    ["UTF-16, big end first", wide("be", true)],
    ["UTF-16 without a mark", wide("le", false)],
    ["UTF-16 without a mark, big end first", wide("be", false)],
    ["UTF-32", new Uint8Array([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0, 0x7d, 0, 0, 0])],
    ["Latin-1", bytes(0xe9)],
    ["a byte that never occurs in UTF-8", bytes(0xff)],
    ["an incomplete sequence", bytes(0xe2, 0x82)],
    ["an overlong slash", bytes(0xc0, 0xaf)],
    ["an overlong U+0000", bytes(0xc0, 0x80)],
    ["an encoded surrogate", bytes(0xed, 0xa0, 0x80)],
    ["a code point beyond the last", bytes(0xf4, 0x90, 0x80, 0x80)],
  ])("D4: %s is refused, even if the type declares it", async (_, body) => {
    for (const type of [
      "application/json",
      "application/json; charset=utf-16",
      "application/json; charset=iso-8859-1",
    ]) {
      const answer = await list(body, { "content-type": type });
      expect(answer).toMatchObject({
        status: 400,
        body: { type: "bad_request", message: expect.stringMatching(/is not (UTF-8|JSON)/) },
      });
    }
  });

  test.each<[string, (input: string) => Uint8Array]>([
    ["gzip", (input) => zlib.gzipSync(input)],
    ["deflate", (input) => zlib.deflateSync(input)],
    ["br", (input) => zlib.brotliCompressSync(input)],
  ])("D14: a body under %s is never unpacked but refused", async (coding, pack) => {
    const external = fresh();
    for (const body of [new Uint8Array(pack(job(external))), job(external)]) {
      expect(await insert(body, { "content-encoding": coding })).toMatchObject({
        status: 415,
        body: { type: "unsupported_media_type", message: expect.stringContaining(coding) },
      });
    }
    expect((await service.call(jobsGet, { identity: { external } }, repairer)).status).toBe(404);
  });
});

test("D4: the control plane accepts only JSON, and changes nothing for another type", async () => {
  const authorization = `Bearer ${service.ready.control_token}`;
  const send = (path: string, type: string, body: string) =>
    service.raw(path, { headers: { authorization, "content-type": type }, body });
  const refused = {
    status: 415,
    body: { type: "unsupported_media_type", message: expect.stringContaining("as application/json") },
  };
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json"]) {
    expect(await send("/__sandbox/clock.advance", type, '{"world":"typed","seconds":5}')).toMatchObject(refused);
    expect(await send("/__sandbox/snapshots.import", type, "{}")).toMatchObject(refused);
  }
  expect((await service.control(worldsList, {})).items.map(({ name }) => name)).not.toContain("typed");
  expect((await send("/__sandbox/worlds.list", "application/json; charset=utf-8", "{}")).status).toBe(200);
  expect((await send("/__sandbox/worlds.list", "text/plain", "")).status).toBe(200);
});

test("D14: bodies of the control plane and of uploads are not unpacked either", async () => {
  const authorization = `Bearer ${service.ready.control_token}`;
  const coded = { "content-encoding": "gzip" };
  const refused = { status: 415, body: { type: "unsupported_media_type", message: expect.stringContaining("gzip") } };
  const packed = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(zlib.gzipSync(text));
  for (const path of ["/__sandbox/worlds.list", "/__sandbox/snapshots.import"])
    expect(await service.raw(path, { headers: { authorization, ...coded }, body: packed("{}") })).toMatchObject(
      refused,
    );
  const prepared = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
  const { pathname, search } = new URL((await service.ok(uploadsPrepare, prepared, repairer)).upload_url);
  const put = { method: "PUT", headers: coded, body: packed("\x89PNG\r\n\x1a\n") };
  expect(await service.raw(pathname + search, put)).toMatchObject(refused);
});

describe("ambiguous JSON", () => {
  test("the last of repeated keys counts at every level, and the others are ignored", async () => {
    const [first, last] = [fresh(), fresh()];
    const twice = `{"identity":{"external":${JSON.stringify(first)}},"identity":{"external":1,"external":"${last}"},"repairer_site_id":5,"repairer_site_id":"${site}"}`;
    expect((await insert(twice)).body).toMatchObject({ external_id: last });
    expect((await service.call(jobsGet, { identity: { external: first } }, repairer)).status).toBe(404);
    expect(await insert(`${job(fresh()).slice(0, -1)},"job_number":"a","job_number":1}`)).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^\/job_number must be/) },
    });
  });

  test("D7: __proto__ and constructor are ordinary unknown keys at every level", async () => {
    const external = fresh();
    const poison = `"__proto__":{"claim_number":"p","polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1`;
    const vehicle = `"vehicle":{"chassis_number":null,"plate_number":"P","plate_state":null,${poison}}`;
    const answer = await insert(job(external, `,${poison},${vehicle}`));
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/polluted|__proto__|constructor/);
    expect(answer.body).toMatchObject({ claim_number: null, vehicle: { plate_number: "P" } });
    for (const identity of ['{"__proto__":{"external":"x"}}', '{"constructor":{"external":"x"}}', '{"__proto__":null}'])
      expect((await insert(`{"identity":${identity},"repairer_site_id":"${site}"}`)).status).toBe(422);
    const parts = `{"job_identity":{"external":"${external}"},"parts":[{"description":"a","identity":{"__proto__":{"id":"x"}}}]}`;
    expect(await service.raw(operationPath(partsInsert), { body: parts, headers: mine })).toMatchObject({
      status: 422,
      text: '"unprocessable"',
    });
    expect(Reflect.has(Object.prototype, "polluted")).toBe(false);
  });

  const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
  test.each([
    ["arrays", nested("[", "]", 3_000)],
    ["objects", `${nested('{"a":', "}", 100_000).replace(":}", ":1}")}`],
  ])(
    "D3: thousands of nested %s are refused by every operation and route, and by the control plane",
    async (_, deep) => {
      const problem = { message: "The body is nested more than 64 levels deep." };
      expect(await insert(job(fresh(), `,"unknown":${deep}`))).toMatchObject({ status: 422, body: problem });
      expect(await list(`{"unknown":${deep}}`)).toMatchObject({ status: 400, body: problem });
      expect(await service.raw("/__webhooks/subscribe", { body: `{"unknown":${deep}}` })).toMatchObject({
        status: 400,
      });
      const headers = { authorization: `Bearer ${service.ready.control_token}` };
      const body = `{"policies":{},"unknown":${deep}}`;
      expect(await service.raw("/__sandbox/policies.set", { body, headers })).toMatchObject({ status: 400 });
    },
  );

  test.each([
    "{",
    "}",
    "{}{}",
    "{} x",
    "{'a':1}",
    "{a:1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":NaN}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":"\t"}',
    "{/**/}",
    " ",
    "\n",
    "null",
    "[]",
    '""',
    "0",
    "true",
    "undefined",
    '"{}"',
  ])("D3: %j isn't a JSON object and is refused", async (body) => {
    expect(await list(body)).toMatchObject({ status: 400, body: { type: "bad_request", message: expect.any(String) } });
    expect(await insert(body)).toMatchObject({
      status: 422,
      body: { type: "unprocessable", message: expect.any(String) },
    });
  });
});

describe("numbers", () => {
  const withQuantity = async (quantity: string): Promise<ServiceResponse> => {
    const external = fresh();
    await insert(job(external));
    const body = `{"job_identity":{"external":"${external}"},"parts":[{"description":"Bonnet","quantity":${quantity}}]}`;
    return service.raw(operationPath(partsInsert), { body, headers: mine });
  };

  test.each(["0", "1", "255", "1.0", "1e2", "2.55e2", "-0", "0.0", "100e-2", "null"])(
    "D8: %s is an eight-bit quantity",
    async (quantity) => {
      expect((await withQuantity(quantity)).status).toBe(200);
    },
  );

  test.each(["256", "-1", "1.5", "1e400", "-1e400", "9007199254740993", '"1"', "true", "[1]", "{}", '""'])(
    "D8: %s is refused and not converted",
    async (quantity) => {
      expect((await withQuantity(quantity)).status).toBe(422);
    },
  );
});

describe("strings", () => {
  test.each(['"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"a\\ud83d"', '"\\u0000"', '"a\\u0000b"'])(
    "D9: %s can't be stored byte for byte and is refused in every field, by name",
    async (text) => {
      for (const field of ["claim_number", "job_number", "work_provider_contract"]) {
        expect(await insert(job(fresh(), `,"${field}":${text}`))).toMatchObject({
          status: 422,
          body: { type: "unprocessable", message: expect.stringMatching(new RegExp(`^/${field} `)) },
        });
      }
      expect((await insert(`{"identity":{"external":${text}},"repairer_site_id":"${site}"}`)).status).toBe(422);
      expect((await insert(job(fresh(), `,"unknown":${text}`))).status).toBe(200);
      const upload = `{"file_name":${text},"media_type":"image","type":"job_media"}`;
      expect((await service.raw(operationPath(uploadsPrepare), { body: upload, headers: mine })).status).toBe(422);
    },
  );

  test("D9: 4,096 characters are accepted, not one more, counted as characters; a URL has 2,048", async () => {
    const car = "\u{1f697}";
    expect((await insert(job(fresh(), `,"claim_number":"${car.repeat(4096)}"`))).body).toMatchObject({
      claim_number: car.repeat(4096),
    });
    expect((await insert(job(fresh(), `,"claim_number":"${car.repeat(4097)}"`))).status).toBe(422);
    const url = (length: number): string => `https://pictures.example/${"x".repeat(length - 25)}`;
    expect((await insert(job(fresh(), `,"images":["${url(2048)}"]`))).body).toMatchObject({
      images: [{ public_url: url(2048) }],
    });
    expect((await insert(job(fresh(), `,"images":["${url(2049)}"]`))).status).toBe(422);
  });

  test("D9: any other text is returned byte for byte from every field", async () => {
    const text = fc
      .string({ unit: "binary", maxLength: 300 })
      .filter((one) => one.isWellFormed() && !one.includes("\0"));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (one, two, three) => {
        const external = `${fresh()}${one}`;
        const identity = { external };
        const vehicle = { chassis_number: one, plate_number: two, plate_state: three };
        const sent = { claim_number: two, job_number: fresh() + three, vehicle };
        await service.ok(jobsInsert, { identity, repairer_site_id: site, ...sent }, repairer);
        expect(await service.ok(jobsGet, { identity }, repairer)).toMatchObject({ external_id: external, ...sent });
        const part = { description: one, note: two, identity: { external_id: three } };
        const { items } = await service.ok(partsInsert, { job_identity: identity, parts: [part] }, repairer);
        expect(items).toMatchObject([{ description: one, note: two, external_id: three }]);
      }),
      { numRuns: 60 },
    );
  });
});
