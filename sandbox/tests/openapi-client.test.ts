import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import createClient, { type Client } from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { paths } from "../../build/openapi-client/generated/integrations-service.ts";
import { AnswerCheck } from "../testing/answer-check.ts";
import {
  credentialHeaders,
  startTestService,
  supplier,
  type TestCredential,
  type TestService,
} from "../testing/harness.ts";
import { freshAccessCode } from "../testing/provocations.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";
import { ServedDocument } from "../testing/served-document.ts";

type Service = Client<paths>;

const GENERATOR = "build/openapi-client/generate.mjs";

let service: TestService;
let hooks: RecordingReceiver;
let served: ServedDocument;
/** Responses that don't match the document. */
const surprises: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  hooks = await RecordingReceiver.start();
  served = await ServedDocument.of(service);
});
afterAll(async () => {
  await hooks.stop();
  await service.end();
});

/** Calls the service and checks every response against the document. */
const checked =
  (check: AnswerCheck) =>
  async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    const { pathname } = new URL(request.url);
    const operation = served.operations.find((one) => one.path === pathname);
    if (!operation) throw new Error(`the document has no path ${pathname}`);
    surprises.push(...check.problems(operation, response.status, response.headers, await response.clone().json()));
    return response;
  };

/** A client built like a partner's, from generated types, with credentials on every call. */
const clientOf = (credential?: TestCredential): Service =>
  createClient<paths>({
    baseUrl: service.baseUrl,
    headers: credential ? credentialHeaders(credential) : {},
    fetch: checked(new AnswerCheck(served)),
  });

/** Data of a response. @throws if the call was refused */
const good = <T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T => {
  if (data === undefined) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
};

const first = <T>(items: readonly T[], wanted: (item: T) => boolean = () => true): T => {
  const found = items.find(wanted);
  if (found === undefined) throw new Error("nothing of the kind was listed");
  return found;
};

/** Output of a generator. @throws if it fails, so that existing output isn't replaced */
const generated = async (program: string): Promise<string> => {
  const generator = spawn(process.execPath, [program], { stdio: "pipe" });
  // A generator that can't start reads no input.
  generator.stdin.on("error", () => undefined).end(served.text);
  const said = text(generator.stderr);
  const [types, [status]] = await Promise.all([text(generator.stdout), once(generator, "close")]);
  if (status === 0) return types;
  const mend = "Run `npm install` if a package is missing, then `npm run openapi` again.";
  throw new Error(`The client could not be generated. ${mend}\n${await said}`);
};

describe("a client generated from the document", () => {
  test("is the generator's current output; `npm run openapi` updates it", async () => {
    await expect(await generated(GENERATOR)).toMatchFileSnapshot(
      "../../build/openapi-client/generated/integrations-service.ts",
    );
  });

  test("is unchanged without the generator's packages, with a message", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "generator-"));
    const alone = path.join(folder, "generate.mjs");
    copyFileSync(GENERATOR, alone);
    try {
      await expect(generated(alone)).rejects.toThrow(
        /^The client could not be generated\. Run `npm install` if a package is missing[\s\S]*openapi-typescript/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("installs an integration, orders parts and has the order confirmed", async () => {
    const access_code = await freshAccessCode(service, "default");
    const credential = good(
      await clientOf().POST("/api/2026-01/integrations.insert", {
        body: { access_code, ...(service.ready.clients?.demo ?? { client_id: "", client_secret: "" }) },
      }),
    );
    const buyer = clientOf(credential);
    const seller = clientOf(supplier);

    const subscription = { integration_id: credential.integration_id, url: hooks.url };
    expect(good(await buyer.POST("/__webhooks/subscribe", { body: subscription }))).toEqual({ ok: true });
    const refused = await buyer.POST("/__webhooks/subscribe", {
      body: { ...subscription, url: "https://example.com/" },
    });
    expect(refused.error).toEqual({ ok: false, reason: "url_not_loopback" });

    const businesses = good(await buyer.POST("/api/2026-01/businesses.list", { body: {} })).items;
    const site = first(businesses, (one) => one.type === "repairer_site");
    const insurer = first(good(await buyer.POST("/api/2026-01/repairer.work-providers.list", { body: {} })).items);

    const identity = { external: "estimate:generated" };
    const job = good(
      await buyer.POST("/api/2026-01/repairer.jobs.insert", {
        body: {
          identity,
          repairer_site_id: site.id,
          job_number: "G-1",
          vehicle: { chassis_number: null, plate_number: "ABC123", plate_state: null },
          work_provider_id: insurer.organization_id,
        },
      }),
    );
    expect(good(await buyer.POST("/api/2026-01/repairer.jobs.get", { body: { identity } }))).toEqual(job);

    const parts = good(
      await buyer.POST("/api/2026-01/repairer.jobs.parts.insert", {
        body: {
          job_identity: identity,
          parts: [{ description: "Bonnet", quantity: 1 }, { description: "Grille assembly" }],
        },
      }),
    ).items;
    expect(parts.map((part) => part.status)).toEqual(["estimated", "estimated"]);

    const basket = good(
      await buyer.POST("/api/2026-01/repairer.jobs.baskets.latest.get", { body: { job_identity: identity } }),
    );
    const meridian = first(good(await seller.POST("/api/2026-01/businesses.list", { body: {} })).items);
    const offer = first(basket.offers, (one) => one.supplier_business_id === meridian.id);
    const placed = first(
      good(
        await buyer.POST("/__extensions/2026-01/repairer.procurements.place", {
          body: { job_identity: identity, sellable_ids: [offer.sellable_id] },
        }),
      ).items,
    );
    expect(placed).toMatchObject({ status: "order_requested", job_id: job.id, deliver_before: null });

    const reference = { body: { identity: { id: placed.id } } };
    const asked = good(await seller.POST("/api/2026-01/supplier.procurements.get", reference));
    expect(asked.buyer_business.id).toBe(site.id);
    const confirmed = good(await seller.POST("/api/2026-01/supplier.procurements.confirm", reference));
    expect(confirmed.status).toBe("order_confirmed");

    const bought = good(await buyer.POST("/api/2026-01/repairer.procurements.get", reference));
    // Status selects the variant, in which these fields are never null.
    if (bought.status !== "order_confirmed") throw new Error(`it is ${bought.status}`);
    expect(first(bought.offered_items).supplied_offer.inventory.sellable_id).toBe(offer.sellable_id);
    const listed = await buyer.POST("/api/2026-01/repairer.procurements.list", { body: { job_identity: identity } });
    expect(good(listed).items).toEqual([bought]);

    const events = (await hooks.waitFor(3)).map(({ envelope }) => envelope.event_type);
    expect(events).toEqual(["repairer.jobs", "repairer.procurements", "repairer.procurements"]);
    const secret = good(await buyer.POST("/__webhooks/secret"));
    expect(secret.integration_id).toBe(credential.integration_id);
    expect(surprises).toEqual([]);
  });

  test("queues vehicles, uploads a picture, and distinguishes refusals by type", async () => {
    const buyer = clientOf(service.ready.credentials?.repairer);
    const identifiers = [{ chassis_number: "7A8DK0S1904128461" }, { region: "US", plate: "1ABC234" }];
    const { invalid_identifiers } = good(await buyer.POST("/api/2026-01/tier1.prepare", { body: { identifiers } }));
    expect(invalid_identifiers.map(({ input }) => input)).toEqual([identifiers[1]]);

    const upload = good(
      await buyer.POST("/api/2026-01/uploads.prepare", {
        body: { file_name: "front.png", media_type: "image", type: "job_media" },
      }),
    );
    const image = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(64)]);
    expect((await fetch(upload.upload_url, { method: "PUT", body: image })).status).toBe(200);
    expect((await fetch(upload.public_url ?? "")).headers.get("content-type")).toBe("image/png");

    const unknown = { identity: { external: "estimate:never" } };
    const { error } = await buyer.POST("/api/2026-01/repairer.jobs.get", { body: unknown });
    expect(error?.type).toBe("not_found");
    const bare = await clientOf().POST("/api/2026-01/repairer.jobs.parts.insert", {
      body: { job_identity: unknown.identity, parts: [] },
    });
    expect(bare.error).toBe("unauthorized");
    const stranger = await buyer.POST("/api/2026-01/supplier.procurements.get", {
      body: { identity: { id: "c95ff06c-9b3e-5ce1-b298-504cbf3a212f" } },
      params: { header: { "x-sandbox-tenant": "generated" } },
    });
    expect(stranger.error?.type).toBe("forbidden");
    expect(surprises).toEqual([]);
  });
});
