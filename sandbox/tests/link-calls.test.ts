import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultQuotas } from "../config.ts";
import type { Cause } from "../contract/causes.ts";
import { activityList, activityStrays } from "../contract/control/activity-operations.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { accessCodesIssue, organizationsList, requestsGet, requestsList } from "../contract/control/operations.ts";
import { clockAdvance, worldsList } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { uploadsPrepare } from "../contract/operations/partner.ts";
import {
  type RawCall,
  repairer,
  type ServiceResponse,
  startTestService,
  type TestService,
} from "../testing/harness.ts";
import { RawConnection, rawHead, rawRequest } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100)]);
const asked = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
const prepare = async (world = "default"): Promise<URL> =>
  new URL((await service.ok(uploadsPrepare, asked, repairer, { "x-sandbox-tenant": world })).upload_url);
const addressOf = ({ pathname, search }: URL): string => pathname + search;
const put = (address: string, { body = PNG, headers = {} }: RawCall = {}): Promise<ServiceResponse> =>
  service.raw(address, { method: "PUT", body, headers });
const idOf = ({ headers }: ServiceResponse): string => headers.get("x-request-id") ?? "";
const onRecord = (id: string) => service.control(requestsGet, { id });
const explain = (id: string, world = "default") => service.control(requestsExplain, { world, id });

type Refused = readonly [
  what: string,
  status: number,
  cause: Cause,
  sentence: RegExp,
  send: () => Promise<ServiceResponse>,
];

/** Sends a picture to a prepared address after a change of it. */
const changed = (change: (url: URL) => void) => async () => {
  const url = await prepare();
  change(url);
  return put(addressOf(url));
};

const uploads: readonly Refused[] = [
  [
    "without its signature",
    403,
    "upload_signature",
    /has no `signature`: its end is missing/,
    changed(({ searchParams }) => searchParams.delete("signature")),
  ],
  [
    "with a cut signature",
    403,
    "upload_signature",
    /5 characters too short: its end is missing/,
    changed(({ searchParams }) => searchParams.set("signature", searchParams.get("signature")?.slice(0, -5) ?? "")),
  ],
  [
    "with a later expiry",
    403,
    "upload_signature",
    /`expires` was changed/,
    changed(({ searchParams }) => searchParams.set("expires", String(Number(searchParams.get("expires")) + 1))),
  ],
  [
    "copied from a page's source",
    403,
    "upload_signature",
    /written as `&amp;`/,
    async () => put(addressOf(await prepare()).replaceAll("&", "&amp;")),
  ],
  [
    "with another upload's ID",
    403,
    "upload_signature",
    /The signature doesn’t match the upload’s address/,
    changed((url) => {
      url.pathname = `/__uploads/${randomUUID()}`;
    }),
  ],
  ["with an invalid ID", 404, "upload_address", /its ID is not a UUID/, () => put("/__uploads/picture.png")],
  [
    "with an invalid world name",
    404,
    "upload_address",
    /its `world` is not a world name/,
    changed(({ searchParams }) => searchParams.set("world", "../x")),
  ],
  [
    "of another world",
    404,
    "upload_elsewhere",
    /prepared in world upload-one; this address names default/,
    async () => {
      const url = await prepare("upload-one");
      url.searchParams.delete("world");
      return put(addressOf(url));
    },
  ],
  [
    "to a used address",
    403,
    "upload_used",
    /already used, .* before this call/,
    async () => {
      const address = addressOf(await prepare());
      await put(address);
      return put(address);
    },
  ],
  [
    "of a picture that is too large",
    413,
    "upload_too_large",
    /larger than 20 MiB/,
    async () => put(addressOf(await prepare()), { body: Buffer.concat([PNG, Buffer.alloc(20 * 1024 * 1024)]) }),
  ],
  [
    "of another file type",
    415,
    "upload_not_an_image",
    /not a PNG, JPEG, WebP, GIF or HEIC image/,
    async () => put(addressOf(await prepare()), { body: "a text" }),
  ],
  ...(
    [
      ["a PDF", "%PDF-1.7", /is a PDF/],
      ["a picture in Base64", PNG.toString("base64"), /picture in Base64/],
      ["a data address", `data:image/png;base64,${PNG.toString("base64")}`, /`data:` address/],
      ["a picture read as text", PNG.toString("utf8"), /read as text, which damaged/],
      ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', /SVG or other XML/],
    ] as const
  ).map(
    ([what, body, sentence]): Refused => [
      `of ${what}`,
      415,
      "upload_not_an_image",
      sentence,
      async () => put(addressOf(await prepare()), { body }),
    ],
  ),
  [
    "with the escapes of JSON",
    403,
    "upload_signature",
    /written as `\\u0026`/,
    async () => put(addressOf(await prepare()).replaceAll("&", "\\u0026")),
  ],
  [
    "in a form",
    415,
    "upload_not_an_image",
    /sent in a form/,
    async () =>
      put(addressOf(await prepare()), {
        body: "--x\r\ncontent-disposition: form-data\r\n\r\n",
        headers: { "content-type": "multipart/form-data; boundary=x" },
      }),
  ],
  [
    "of a compressed picture",
    415,
    "upload_encoded",
    /`Content-Encoding` is `gzip`/,
    async () => put(addressOf(await prepare()), { headers: { "content-encoding": "gzip" } }),
  ],
];

describe("a refused upload is recorded with its cause, without the picture", () => {
  test.each(uploads)("%s", async (what, status, cause, sentence, send) => {
    const answer = await send();
    expect([what, answer.status]).toEqual([what, status]);
    const { refusal, checks } = await explain(idOf(answer));
    expect(refusal).toMatchObject({ cause, status, whose_side: "partner", sentence: expect.stringMatching(sentence) });
    expect(refusal?.what_to_do).toMatch(/^(Send|Prepare|If) /);
    expect(checks.filter(({ verdict }) => verdict === "refused")).toHaveLength(1);
    const kept = await onRecord(idOf(answer));
    expect(kept).toMatchObject({
      ...{ operation: "uploads.put", method: "PUT", status, error_code: Object(answer.body).type },
      ...{ request_body: "", request_bytes: 0, response_body: answer.text },
    });
    expect(kept.path).not.toMatch(/signature=[\w-]/);
  });

  test("to an expired address", async () => {
    const world = "upload-late";
    const address = addressOf(await prepare(world));
    await service.control(clockAdvance, { world, seconds: 16 * 60 });
    const { refusal } = await explain(idOf(await put(address)), world);
    expect(refusal).toMatchObject({
      cause: "upload_clock",
      sentence: expect.stringContaining("clock was moved 16 min ahead after it was prepared"),
    });
  });

  test("above the world's limit, with the integration that prepared it", async () => {
    const small = await startTestService(undefined, { quotas: { ...defaultQuotas, uploadMebibytes: 1 } });
    const { upload_url } = await small.ok(uploadsPrepare, asked, repairer);
    const body = Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]);
    const answer = await small.raw(addressOf(new URL(upload_url)), { method: "PUT", body });
    const { items } = await small.control(requestsList, { integration_id: repairer.integration_id, refused: true });
    expect(items).toMatchObject([{ id: idOf(answer), operation: "uploads.put", status: 413, side: "repairer" }]);
    const { items: groups } = await small.control(activityList, {});
    expect(groups).toMatchObject([
      { cause: "upload_no_room", whose_side: "partner", what_to_do: expect.stringContaining("--max-uploads") },
    ]);
    await small.end();
  });

  test("during another one to its address, or with a closed connection", async () => {
    const address = addressOf(await prepare("upload-slow"));
    const list = (cause: Cause) => service.control(requestsList, { world: "upload-slow", cause });
    const send = async (): Promise<RawConnection> => {
      const connection = await RawConnection.open(service.port);
      return connection.send(rawHead(`PUT ${address}`, { "content-length": "1000" })).send(PNG);
    };
    // The one that is taken in has no response yet.
    const both = await Promise.all([send(), send()]);
    const [refused] = await Promise.race(both.map((one) => one.answers(1)));
    expect(refused?.status).toBe(403);
    const { items: second } = await list("upload_under_way");
    expect(second.map(({ id }) => id)).toEqual([refused?.headers.get("x-request-id")]);
    for (const one of both) one.close();
    await expect
      .poll(async () => (await list("upload_aborted")).items)
      .toMatchObject([
        { operation: "uploads.put", status: 0, error_code: null, integration_id: repairer.integration_id },
      ]);
    const { items } = await list("upload_aborted");
    const { refusal } = await explain(items[0]?.id ?? "", "upload-slow");
    expect(refusal).toMatchObject({
      whose_side: "partner",
      sentence: "The connection was closed before the whole picture arrived.",
      what_to_do: expect.stringMatching(/^Send the picture again/),
    });
    expect((await put(address)).status).toBe(200);
  });

  test("to an unknown world, which isn't created, among the service's stray calls", async () => {
    const url = await prepare();
    url.searchParams.set("world", "upload-nowhere");
    const answer = await put(addressOf(url));
    await expect
      .poll(async () => (await service.control(activityStrays, { search: idOf(answer) })).items)
      .toMatchObject([
        {
          world: "upload-nowhere",
          operation: "uploads.put",
          status: 404,
          reason: expect.stringMatching(/^The upload was prepared in world default/),
        },
      ]);
    const { items } = await service.control(worldsList, {});
    expect(items.map(({ name }) => name)).not.toContain("upload-nowhere");
  });
});

test.each([
  ["GET", /^Send the picture to the `upload_url` with PUT\. To read it, use the `public_url`/],
  ["POST", /^Send the picture with the method PUT\./],
])("tells a %s to an upload’s address what to send", async (method, remedy) => {
  const answer = await service.raw(addressOf(await prepare()), { method });
  expect(answer.status).toBe(405);
  expect((await explain(idOf(answer))).refusal?.what_to_do).toMatch(remedy);
});

describe("a read of a picture that isn’t there is recorded with its cause", () => {
  const prepareBoth = async (world: string) => {
    const { upload_url, public_url } = await service.ok(uploadsPrepare, asked, repairer, { "x-sandbox-tenant": world });
    return [addressOf(new URL(upload_url)), new URL(public_url ?? "").pathname] as const;
  };
  const read = (path: string, headers = {}) => service.raw(path, { method: "GET", headers });

  test("in the world that prepared it, with the refused upload", async () => {
    const world = "picture-early";
    const [upload, picture] = await prepareBoth(world);
    const early = await read(picture);
    expect((await explain(idOf(early), world)).refusal).toMatchObject({
      ...{ cause: "picture_missing", status: 404, whose_side: "partner" },
      sentence: expect.stringMatching(/^Nothing was uploaded to this picture’s address, which was prepared \d+ m?s/),
      what_to_do: expect.stringMatching(/^Send the picture to its `upload_url`/),
    });
    const refused = await put(upload, { body: "no picture" });
    const again = (await explain(idOf(await read(picture)), world)).refusal;
    expect(again?.sentence).toMatch(/its upload was refused with 415, \d+ m?s before this call\.$/);
    expect(again?.earlier).toBe(idOf(refused));
    await put(upload);
    const found = await read(picture);
    expect(found.status).toBe(200);
    await expect(service.control(requestsGet, { world, id: idOf(found) })).rejects.toThrow();
  });

  test("after its address expired, and not by the explorer’s own pages", async () => {
    const world = "picture-late";
    const [, picture] = await prepareBoth(world);
    await service.control(clockAdvance, { world, seconds: 16 * 60 });
    const { refusal } = await explain(idOf(await read(picture)), world);
    expect(refusal?.what_to_do).toMatch(/^Prepare another upload/);
    expect(refusal?.sentence).toMatch(/prepared 16 min .* by this world’s clock, which was moved\.$/);
    const own = await read(picture, { "sec-fetch-site": "same-origin" });
    await expect(service.control(requestsGet, { world, id: idOf(own) })).rejects.toThrow();
  });

  test.each([
    [`/__media/${randomUUID()}/a.png`, /^No picture has this address/],
    ["/__media/undefined/a.png", /has `undefined` in place of a picture’s ID/],
  ])("of no world: %s", async (path, sentence) => {
    const answer = await read(path);
    expect(answer.text).toMatch(/nothing was uploaded.* to its upload_url first/);
    const { refusal } = await explain(idOf(answer));
    expect(refusal).toMatchObject({ cause: "picture_unknown", sentence: expect.stringMatching(sentence) });
  });
});

test("an upload to another host and a consent call of another site are recorded", async () => {
  await service.make("links");
  const connection = await RawConnection.open(service.port);
  const upload = `PUT /__uploads/${randomUUID()}?expires=1&world=links&signature=some-signature`;
  const [answer] = await connection.send(rawRequest(upload, { host: "files.example" }, "x")).answers(1);
  connection.close();
  const consent = await service.raw("/__oauth/authorize?world=links", { headers: { origin: "https://app.example" } });
  expect([answer?.status, consent.status]).toEqual([421, 403]);
  const { items } = await service.control(requestsList, { world: "links" });
  expect(items.map(({ id, unrouted }) => [id, unrouted])).toEqual([
    [idOf(consent), "host"],
    [answer?.headers.get("x-request-id"), "host"],
  ]);
  expect(JSON.stringify(items)).not.toContain("some-signature");
});

test("a successful upload is recorded as a change, and can't be replayed", async () => {
  const answer = await put(addressOf(await prepare("upload-stored")));
  expect(answer.status).toBe(200);
  const world = "upload-stored";
  const { items } = await service.control(requestsList, { world, changes: true });
  expect(items).toMatchObject([
    { id: idOf(answer), operation: "uploads.put", outcome: "picture stored", side: "repairer", request_bytes: 0 },
    { operation: "uploads.prepare", integration_id: repairer.integration_id },
  ]);
  const replay = await service.post(
    "/__sandbox/requests.replay",
    { world, id: idOf(answer) },
    { authorization: `Bearer ${service.ready.control_token}` },
  );
  expect(replay).toMatchObject({ status: 422, body: { message: expect.stringContaining("body wasn’t stored") } });
});

const REDIRECT = "http://127.0.0.1:5173/callback";
const LINK = { client_id: fixedClients.demo.client_id, redirect_uri: REDIRECT, state: "mine" };
const open = (change: Record<string, string>) =>
  service.raw(`/__oauth/authorize?${new URLSearchParams({ ...LINK, ...change })}`, { method: "GET" });
const without = (name: keyof typeof LINK, more: Record<string, string> = {}) => {
  const { [name]: _left, ...rest } = LINK;
  return service.raw(`/__oauth/authorize?${new URLSearchParams({ ...rest, ...more })}`, { method: "GET" });
};
/** Answers the consent page after a change of its fields. */
const answerPage = async (change: Record<string, string>, world = "default"): Promise<ServiceResponse> => {
  const { text } = await open({ world });
  const hidden = text.matchAll(/<input type="hidden" name="([a-z_]+)" value="([^"]*)">/g);
  const fields = new URLSearchParams([...hidden].map(([, name = "", value = ""]) => [name, value]));
  const organization_id = /name="organization_id" value="([^"]+)"/.exec(text)?.[1] ?? "";
  for (const [name, value] of Object.entries({ organization_id, decision: "approve", ...change }))
    fields.set(name, value);
  return service.raw("/__oauth/authorize", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: fields.toString(),
  });
};

const consents: readonly Refused[] = [
  ["without a client", 400, "consent_client_missing", /has no `client_id`/, () => without("client_id")],
  [
    "with a misspelt parameter",
    400,
    "consent_client_missing",
    /called `client_id` here: `clientId` was ignored/,
    () => without("client_id", { clientId: "demo-client" }),
  ],
  ["of an unknown client", 400, "consent_client_unknown", /No client has the/, () => open({ client_id: "nobody" })],
  [
    "with the client's secret as its ID",
    400,
    "consent_client_unknown",
    /`client_id` holds a client_secret/,
    () => open({ client_id: fixedClients.demo.client_secret }),
  ],
  [
    "of a client in another case",
    400,
    "consent_client_unknown",
    /right but for upper and lower case/,
    () => open({ client_id: "Demo-Client" }),
  ],
  [
    "of a client that isn't enabled",
    400,
    "consent_client_not_enabled",
    /not enabled for OAuth install/,
    () => open({ client_id: fixedClients.no_oauth.client_id }),
  ],
  [
    "without a redirect",
    400,
    "consent_redirect_missing",
    /called `redirect_uri` here: `redirect_url` was ignored/,
    () => without("redirect_uri", { redirect_url: REDIRECT }),
  ],
  [
    "with a foreign redirect",
    400,
    "consent_redirect_not_allowed",
    /host of `redirect_uri` is app\.example, which is not this machine/,
    () => open({ redirect_uri: "https://app.example/callback" }),
  ],
  [
    "with a redirect that was encoded twice",
    400,
    "consent_redirect_not_allowed",
    /percent-encoded twice/,
    () => open({ redirect_uri: encodeURIComponent(REDIRECT) }),
  ],
  ["with an invalid world name", 400, "consent_world", /not a valid world name/, () => open({ world: "../x" })],
  [
    "with an unknown organization",
    400,
    "consent_no_choice",
    /names none of its organizations/,
    () => answerPage({ organization_id: randomUUID() }),
  ],
  ["with an invalid proof", 403, "consent_repeated", /or was already sent/, () => answerPage({ proof: "1.2.3" })],
];

describe("a refused call of the consent page is recorded with its cause, without its form", () => {
  test.each(consents)("%s", async (what, status, cause, sentence, send) => {
    const answer = await send();
    expect([what, answer.status, answer.headers.get("content-type")]).toEqual([
      ...[what, status, "text/html; charset=utf-8"],
    ]);
    const { refusal } = await explain(idOf(answer));
    expect(refusal).toMatchObject({ cause, status, whose_side: "partner", sentence: expect.stringMatching(sentence) });
    const kept = await onRecord(idOf(answer));
    expect(kept).toMatchObject({ operation: "oauth.authorize", status, request_body: "" });
    expect(JSON.stringify(kept)).not.toContain(fixedClients.demo.client_secret);
  });

  test("beyond the limit of unused codes", async () => {
    const small = await startTestService(undefined, { quotas: { ...defaultQuotas, accessCodes: 1 } });
    const before = service;
    service = small;
    try {
      const { items } = await small.control(organizationsList, {});
      const page = await open({});
      const organization_id = /name="organization_id" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
      const scope = items.find(({ id }) => id === organization_id)?.scope ?? "repairer";
      await small.control(accessCodesIssue, { client_id: LINK.client_id, organization_id, scope });
      const refused = await answerPage({});
      expect((await explain(idOf(refused))).refusal).toMatchObject({
        cause: "consent_too_many_codes",
        sentence: expect.stringMatching(/already has 1 unused access codes/),
      });
    } finally {
      service = before;
      await small.end();
    }
  });

  test("in its link's world, unlike a shown page or an accepted form", async () => {
    await service.make("consents");
    expect((await open({ world: "consents" })).status).toBe(200);
    const taken = await answerPage({}, "consents");
    expect(taken.status).toBe(303);
    const refused = await open({ world: "consents", client_id: "nobody" });
    const { items } = await service.control(requestsList, { world: "consents" });
    expect(items.map(({ id }) => id)).toEqual([idOf(refused)]);
    const code = new URL(taken.headers.get("location") ?? "").searchParams.get("code") ?? "";
    expect(JSON.stringify(items)).not.toContain(code);
  });
});

describe("a deployed service", () => {
  const credential = (letter: string) => ({
    integration_id: `5d13b09f-bd2f-4acc-a5f9-1c9743fa15c${letter}`,
    api_key: `sbx_${letter.repeat(32)}`,
    webhook_secret: `pwh_${letter.repeat(43)}`,
  });
  const client = (name: string) => ({
    ...{ client_id: name, client_secret: `cs_${name.repeat(20)}`, redirect_uris: ["https://partner.example/"] },
  });

  test("records calls with a valid signature or key, but none of strangers", async () => {
    const deployed = await startTestService(undefined, {
      mode: "deployed",
      publicUrl: "https://sandbox.example",
      credentials: {
        credentials: { repairer: credential("a"), supplier: credential("b") },
        clients: { demo: client("one"), no_oauth: client("two") },
      },
    });
    const send = async (line: string, headers: Record<string, string> = {}, body = "") => {
      const connection = await RawConnection.open(deployed.port);
      const own = { host: "sandbox.example", connection: "close", ...headers };
      const [answer] = await connection.send(rawRequest(line, own, body)).answers(1);
      connection.close();
      return { id: answer?.headers.get("x-request-id") ?? "", status: answer?.status, body: answer?.body ?? "" };
    };
    const { api_key, integration_id } = credential("a");
    const key = { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
    const prepared = await send("POST /api/2026-01/uploads.prepare", key, JSON.stringify(asked));
    const url = new URL((JSON.parse(prepared.body) as { readonly upload_url: string }).upload_url);
    const mine = await send(`PUT ${addressOf(url)}`, {}, "no image");
    expect(mine.status).toBe(415);
    url.searchParams.set("signature", "guessed");
    expect((await send(`PUT ${addressOf(url)}`, {}, "x")).status).toBe(403);
    expect((await send("GET /__oauth/authorize?client_id=nobody")).status).toBe(400);
    const known = await send(`PUT ${addressOf(url)}`, key, "x");
    const control = { authorization: `Bearer ${deployed.ready.control_token}` };
    const { body } = await send("POST /__sandbox/requests.list", control, "{}");
    const { items } = JSON.parse(body) as { readonly items: { readonly id: string }[] };
    expect(items.map(({ id }) => id)).toEqual([known.id, mine.id, prepared.id]);
    await deployed.end();
  });
});
