import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { defaultQuotas } from "../config.ts";
import { requestsList, uploadsList } from "../contract/control/operations.ts";
import { clockAdvance, clockReset, worldsReset } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { tier1Prepare, uploadsPrepare } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { RawConnection, rawHead } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

describe("tier1.prepare", () => {
  const prepare = (identifiers: unknown[]) => service.ok(tier1Prepare, { identifiers }, repairer);

  test("queues valid identifiers of both kinds, and returns no invalid ones", async () => {
    const identifiers = [
      { chassis_number: "7A8DK0S1904128461" },
      { chassis_number: "wba3a5c50ef123456" },
      { chassis_number: "GRS182-1234567" },
      { region: "GB", plate: "LK21VBO" },
      { region: "AU", state: "VIC", plate: "1XQ7KD", extra: "ignored" },
      { region: "NZ", state: "whatever", plate: "é" },
    ];
    expect(await prepare(identifiers)).toEqual({ invalid_identifiers: [] });
    expect(await service.ok(tier1Prepare, { identifiers }, supplier)).toEqual({ invalid_identifiers: [] });
  });

  test("D63: queues an identifier once for each organization, and records how many were new", async () => {
    const outcome = async () => (await service.control(requestsList, { operation: tier1Prepare.id })).items[0]?.outcome;
    const twice = [
      { region: "NZ", plate: "ONCE1" },
      { region: "NZ", plate: "once1" },
      { region: "NZ", plate: "ONCE2" },
    ];
    await prepare([...twice, null]);
    expect(await outcome()).toBe("2 queued, 1 invalid");
    await prepare(twice);
    expect(await outcome()).toBe("0 queued, 0 invalid");
    await service.ok(tier1Prepare, { identifiers: twice }, supplier);
    expect(await outcome()).toBe("2 queued, 0 invalid");
  });

  test.each([
    [{ chassis_number: "7A8DKOS1904128461" }, /I, O or Q/],
    [{ chassis_number: "SHORT" }, /17 characters/],
    [{ chassis_number: "A-1" }, /frame number/],
    [{ chassis_number: 17 }, /string/],
    [{ chassis_number: "7A8DK0S1904128461", plate: "X" }, /not both/],
    [{ region: "US", state: "CA", plate: "X" }, /region/],
    [{ region: "gb", plate: "X" }, /region/],
    [{ region: "AU", plate: "X" }, /state is required/],
    [{ region: "AU", state: null, plate: "X" }, /state is required/],
    [{ region: "AU", state: "XYZ", plate: "X" }, /state must be one of/],
    [{ region: "GB", plate: "" }, /1 to 10/],
    [{ region: "GB", plate: "12345678901" }, /1 to 10/],
    [{ region: "GB" }, /plate is required/],
    [{ region: "GB", plate: "A\u0000B" }, /U\+0000/],
    [{ region: "GB", plate: "\ud800" }, /lone surrogates/],
    [{}, /must have/],
    [null, /object/],
    ["text", /object/],
    [[{ chassis_number: "7A8DK0S1904128461" }], /object/],
    [{ __proto__x: { a: [1, { b: null }] } }, /must have/],
  ])("D60, D61: returns %j with a reason", async (input, reason) => {
    expect(await prepare([input, { region: "GB", plate: "OK" }])).toEqual({
      invalid_identifiers: [{ input, reason: expect.stringMatching(reason) }],
    });
  });

  test("returns the raw input unchanged, whatever JSON it is", async () => {
    const inputs = [
      "1e400",
      "1.0",
      "12345678901234567890",
      '{"a":1,"a":2, "__proto__":{"x":"\\u0041\\ud83d\\ude97"}}',
      '"\\ud800"',
      "[ [ ] , {} ]",
      '"],}\\""',
      "[".repeat(50) + "]".repeat(50),
    ];
    const body = `{"identifiers" : [${inputs.join(" ,\n")}], "other": [1]}`;
    const answer = await service.raw(operationPath(tier1Prepare), { body, headers: credentialHeaders(repairer) });
    expect(answer.status).toBe(200);
    for (const input of inputs) expect(answer.text).toContain(`{"input":${input},"reason":`);
    expect(answer.text.match(/"reason":/g)).toHaveLength(inputs.length);
  });

  test("D62: accepts a thousand, one more is bad_request", async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ region: "NZ", plate: `P${index}` }));
    expect(await prepare(many)).toEqual({ invalid_identifiers: [] });
    expect(
      await service.call(tier1Prepare, { identifiers: [...many, { region: "NZ", plate: "X" }] }, repairer),
    ).toMatchObject({
      status: 400,
      body: { type: "bad_request", message: "/identifiers must have at most 1000 items." },
    });
  });
});

describe("uploads.prepare and the upload address (D64)", () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(3000, 7)]);
  const prepare = (file_name = "front left.png", headers: Record<string, string> = {}) =>
    service.ok(uploadsPrepare, { file_name, media_type: "image", type: "job_media" }, repairer, headers);
  const put = (url: string, body: Uint8Array<ArrayBuffer>) => fetch(url, { method: "PUT", body });

  test("an image is uploaded once and served under its public_url with its type", async () => {
    const { upload_url, public_url } = await prepare();
    expect((await fetch(public_url ?? "")).status).toBe(404);
    expect((await put(upload_url, png)).status).toBe(200);
    const served = await fetch(public_url ?? "");
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
    expect([served.headers.get("content-type"), served.headers.get("x-content-type-options")]).toEqual([
      "image/png",
      "nosniff",
    ]);
    expect((await put(upload_url, png)).status).toBe(403);
  });

  test("of ten concurrent uploads to one address exactly one is accepted", async () => {
    const { upload_url } = await prepare();
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(upload_url, png)));
    expect(answers.map((one) => one.status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 403)]);
  });

  test("a slow upload arrives, except in a world that was reset meanwhile", async () => {
    for (const [world, status] of [
      ["slow-kept", 200],
      ["slow-reset", 404],
    ] as const) {
      const { upload_url } = await prepare("slow.png", { "x-sandbox-tenant": world });
      const half = Promise.withResolvers<void>();
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(png.subarray(0, 1_000));
          await half.promise;
          controller.enqueue(png.subarray(1_000));
          controller.close();
        },
      });
      const answer = fetch(upload_url, { method: "PUT", body, duplex: "half" } as RequestInit);
      await vi.waitFor(async () => {
        const { items } = await service.control(uploadsList, { world });
        expect(items).toHaveLength(1);
      });
      if (world === "slow-reset") await service.control(worldsReset, { world });
      half.resolve();
      expect((await answer).status).toBe(status);
    }
  });

  test("D86: above the world's limit an image is too large, even with concurrent uploads, and its address stays usable", async () => {
    const quotas = { ...defaultQuotas, uploadMebibytes: 1 };
    const small = await startTestService(undefined, { quotas });
    onTestFinished(() => small.end());
    const address = async (tenant = "default"): Promise<string> => {
      const asked = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
      return (await small.ok(uploadsPrepare, asked, repairer, { "x-sandbox-tenant": tenant })).upload_url;
    };
    const large = Buffer.concat([png.subarray(0, 8), Buffer.alloc(400 * 1024)]);
    const addresses = await Promise.all(Array.from({ length: 4 }, () => address()));
    const answers = await Promise.all(addresses.map((url) => put(url, large)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 413, 413]);
    const refused = answers.findIndex(({ status }) => status === 413);
    expect(await answers[refused]?.json()).toEqual({
      type: "payload_too_large",
      message: expect.stringContaining("1 MiB"),
    });
    expect((await put(addresses[refused] ?? "", png)).status).toBe(200);
    expect((await put(await address("other"), large)).status).toBe(200);
    const media = fs.readdirSync(path.join(small.folder, "media"), { recursive: true });
    expect(media.filter((name) => String(name).endsWith(".png")).length).toBe(4);
    expect(media.filter((name) => String(name).endsWith(".part"))).toEqual([]);
  });

  test("D86: a concurrent or too large upload to an address writes nothing", async () => {
    const small = await startTestService(undefined, { quotas: { ...defaultQuotas, uploadMebibytes: 1 } });
    onTestFinished(() => small.end());
    const asked = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
    const address = async () => {
      const { pathname, search } = new URL((await small.ok(uploadsPrepare, asked, repairer)).upload_url);
      return pathname + search;
    };
    const parts = (): number =>
      fs.readdirSync(path.join(small.folder, "media")).filter((name) => name.endsWith(".part")).length;
    const begun = async (to: string, length: number): Promise<RawConnection> => {
      const connection = await RawConnection.open(small.port);
      connection.send(
        Buffer.from(rawHead(`PUT ${to}`, { "content-length": String(length) }) + png.toString("latin1"), "latin1"),
      );
      return connection;
    };
    const to = await address();
    const first = await begun(to, 900 * 1024);
    await vi.waitFor(() => expect(parts()).toBe(1));
    for (const [where, status] of [
      [to, 403],
      [await address(), 413],
    ] as const) {
      const other = await begun(where, 900 * 1024);
      expect((await other.answers(1))[0]?.status).toBe(status);
      other.close();
    }
    expect(parts()).toBe(1);
    const huge = await begun(await address(), 200 * 1024 * 1024);
    expect((await huge.answers(1))[0]?.status).toBe(413);
    huge.close();
    // A disconnected caller frees its reserved space.
    first.close();
    await vi.waitFor(() => expect(parts()).toBe(0));
    expect((await small.raw(to, { method: "PUT", body: Buffer.concat([png, Buffer.alloc(900 * 1024)]) })).status).toBe(
      200,
    );
  });

  test("content that isn't an image is refused, and the address stays usable", async () => {
    const { upload_url, public_url } = await prepare("evil.svg");
    for (const content of ["<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", "<html>", "short", ""]) {
      expect((await put(upload_url, new TextEncoder().encode(content))).status).toBe(415);
    }
    expect((await fetch(public_url ?? "")).status).toBe(404);
    expect((await put(upload_url, png)).status).toBe(200);
    expect((await fetch(public_url ?? "")).headers.get("content-type")).toBe("image/png");
  });

  test("another signature, ID or expiry, and a late upload are refused", async () => {
    const { upload_url } = await prepare();
    const other = await prepare();
    const changed = (change: (url: URL) => void): string => {
      const url = new URL(upload_url);
      change(url);
      return url.href;
    };
    expect(
      (
        await put(
          changed((url) => url.searchParams.set("signature", "x")),
          png,
        )
      ).status,
    ).toBe(403);
    expect(
      (
        await put(
          changed((url) => url.searchParams.set("expires", "9999999999999")),
          png,
        )
      ).status,
    ).toBe(403);
    expect(
      (
        await put(
          changed((url) => {
            url.pathname = new URL(other.upload_url).pathname;
          }),
          png,
        )
      ).status,
    ).toBe(403);
    await service.control(clockAdvance, { seconds: 15 * 60 + 1 });
    expect((await put(upload_url, png)).status).toBe(403);
    await service.control(clockReset, {});
    expect((await put(upload_url, png)).status).toBe(200);
  });

  test.each<[what: string, answer: [status: number, message: string], content: () => Uint8Array<ArrayBuffer>]>([
    [
      "more than 20 MiB",
      [413, "The image is larger than 20 MiB."],
      () => {
        const big = new Uint8Array(64 * 1024 * 1024);
        big.set(png.subarray(0, 16));
        return big;
      },
    ],
    [
      "19 MiB without an image",
      [415, "The content is not a PNG, JPEG, WebP, GIF or HEIC image."],
      () => new Uint8Array(19 * 1024 * 1024),
    ],
  ])("D6: %s are refused with a sentence during the upload", async (_, [expected, message], content) => {
    const { upload_url } = await prepare();
    const answer = await put(upload_url, content());
    expect([answer.status, await answer.json()]).toMatchObject([expected, { message }]);
    expect((await put(upload_url, png)).status).toBe(200);
  });

  test("a tenant's upload address works without the header, in its own world", async () => {
    const { upload_url, public_url } = await prepare("a.png", { "x-sandbox-tenant": "uploads" });
    expect((await put(upload_url, png)).status).toBe(200);
    expect((await fetch(public_url ?? "")).status).toBe(200);
  });

  test("D3: other media types and types are unprocessable, naming the field", async () => {
    const answer = await service.post(
      operationPath(uploadsPrepare),
      { file_name: "a", media_type: "video", type: "job_media" },
      credentialHeaders(repairer),
    );
    expect(answer).toMatchObject({
      status: 422,
      body: { type: "unprocessable", message: "/media_type must be image." },
    });
  });

  test("seeded pictures are served", async () => {
    const job = await service.post<{ images: { public_url: string }[] }>(
      "/api/2026-01/repairer.jobs.get",
      { identity: { external: "estimate:88213" } },
      credentialHeaders(repairer),
    );
    const [image] = job.body.images;
    const served = await fetch(image?.public_url ?? "");
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/webp"]);
  });
});
