import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServiceConfig } from "../config.ts";
import { StartError } from "../host/start-error.ts";
import { testConfig } from "../testing/harness.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SharedDatabase } from "./database.ts";
import { openNode, rotateSharedKeys } from "./node.ts";

const postgres = await TestPostgres.start();
const url = postgres?.url ?? "";

describe("a node that opens", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
  afterAll(() => postgres?.end());
  const open = async (given: Partial<ServiceConfig> = {}) => {
    const node = await openNode({ ...testConfig(null), ...given }, url);
    onTestFinished(() => node.close());
    return node;
  };
  const credentials = (api_key: string) => {
    const one = { api_key, integration_id: "i", organization_id: "o", webhook_secret: "s" };
    return { credentials: { repairer: one, supplier: one } } as unknown as Partial<ServiceConfig>;
  };

  test("shares the first one's keys, until they are replaced", async () => {
    const { given } = await open();
    expect((await open()).given).toEqual(given);
    const keys = await rotateSharedKeys(url);
    expect(keys.control_token).not.toBe(given.control_token);
    const { given: next } = await open();
    expect(next).toEqual({ control_token: keys.control_token, upload_key: keys.upload_key });
  });

  test("is refused if its credentials differ from the first node's, and leaves no connection", async () => {
    await open();
    const closed = vi.spyOn(SharedDatabase.prototype, "close");
    await expect(open(credentials("other"))).rejects.toThrow(StartError);
    await expect(open(credentials("other"))).rejects.toThrow("The other nodes have other credentials");
    expect(closed).toHaveBeenCalledTimes(6);
  });
});
