import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, expect, test } from "vitest";
import { worldsList } from "../contract/control/world-operations.ts";
import { SIGNATURE_HEADER } from "../contract/events.ts";
import { businessesList } from "../contract/operations/partner.ts";
import { worldFileName } from "../rules/world-name.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
afterEach(() => service.end());

const tenant = { "x-sandbox-tenant": "spoilt" };

const ruin: Readonly<Record<string, readonly [(file: string) => void, RegExp]>> = {
  damaged: [(file) => fs.writeFileSync(file, "no database at all ".repeat(500)), /cannot be read .*delete or replace/],
  newer: [
    (file) => {
      const db = new Sqlite(file);
      db.pragma("user_version = 999");
      db.close();
    },
    /newer version .*Update/,
  ],
};

test.each(Object.entries(ruin))(
  "a world whose file is %s is refused with what to do, and the others go on",
  async (_, [spoil, words]) => {
    service = await startTestService();
    await service.ok(businessesList, {}, repairer, tenant);
    const file = path.join(service.folder, "worlds", worldFileName("spoilt"));
    await service.stop();
    spoil(file);
    service = await startTestService(service.folder);
    const before = fs.readFileSync(file);
    expect(await service.call(businessesList, {}, repairer, tenant)).toMatchObject({
      status: 503,
      body: { type: "storage_unavailable", message: expect.stringMatching(words) },
    });
    expect((await service.call(businessesList, {}, repairer)).status).toBe(200);
    const { items } = await service.control(worldsList, {});
    expect(items.map(({ name }) => name)).toContain("default");
    const unknown = await service.raw("/__webhooks/sink", {
      headers: { [SIGNATURE_HEADER]: "AAAA", "content-type": "application/json" },
      body: '{"integration_id":"00000000-0000-4000-8000-000000000000"}',
    });
    expect(unknown.status).toBe(401);
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  },
);
