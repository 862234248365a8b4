import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { CredentialRow } from "../storage/credentials-store.ts";
import { Database } from "../storage/database.ts";
import { NotDurableError, Undo } from "../storage/writer.ts";
import { exchangeRecord } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { fillDisk, longText } from "../testing/marked-file.ts";
import { World } from "./world.ts";

const open = () => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const db = new Database(path.join(folder, "world.sqlite"), { durability: "off" });
  const world = new World("team", db, {
    onPublish: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => world.close());
  const { credentials, subscriptions } = world.stores;
  return {
    db,
    world,
    credentials,
    subscriptions,
    install: (integration_id: string): void => credentials.insert(credential(integration_id)),
    subscribe: (id: string, integration_id: string): boolean =>
      subscriptions.insert({ id, integration_id, url: `http://127.0.0.1/${id}`, created_at: 0 }),
    /** Current recipients. */
    recipients: () => subscriptions.recipients("buyer", "repairer.jobs").map(({ id }) => id),
    /** Fails like a disk that fills up before the commit, so everything is rolled back. */
    failing: async (run: () => void): Promise<void> => {
      fillDisk(db, 2);
      const failed = world.write(() => {
        run();
        db.run("INSERT INTO meta (key, value) VALUES ('large', ?)", longText("x"));
      });
      await expect(failed).rejects.toThrow(NotDurableError);
      db.handle.pragma("max_page_count = 1000000");
    },
  };
};
const credential = (integration_id: string): CredentialRow => ({
  integration_id,
  api_key: `isk_${integration_id}`,
  webhook_secret: `pwh_${integration_id}`,
  organization_id: "buyer",
  scope: "repairer",
  client_id: null,
  preloaded: false,
  created_at: 0,
});

describe("a cached credential", () => {
  it("is read from the file once", async () => {
    const { db, world, credentials, install } = open();
    await world.write(() => install("a"));
    const reads = vi.spyOn(db, "get");
    for (let call = 0; call < 3; call += 1) expect(credentials.findByIntegration("a")).toEqual(credential("a"));
    expect(reads).toHaveBeenCalledOnce();
  });

  it("exists from the moment it is written, for concurrent changes too", async () => {
    const { world, credentials, install } = open();
    expect(credentials.findByIntegration("a")).toBeUndefined();
    const [, seen] = await Promise.all([
      world.write(() => install("a")),
      world.write(() => credentials.findByIntegration("a")),
    ]);
    expect([seen, credentials.findByIntegration("a")]).toEqual([credential("a"), credential("a")]);
  });

  it("never comes from an undone change, even if it was read meanwhile", async () => {
    const { world, credentials, install } = open();
    const installAndLook = (id: string): CredentialRow | undefined => {
      install(id);
      return credentials.findByIntegration(id);
    };
    const [refused, neighbour, thrown] = await Promise.allSettled([
      world.write(() => new Undo(installAndLook("refused"))),
      world.write(() => credentials.findByIntegration("refused")),
      world.write(() => {
        installAndLook("thrown");
        throw new Error("no");
      }),
    ]);
    expect([refused, neighbour, thrown]).toMatchObject([
      { value: credential("refused") },
      { value: undefined },
      { status: "rejected" },
    ]);
    expect([credentials.findByIntegration("refused"), credentials.findByIntegration("thrown")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("never comes from a failed commit", async () => {
    const { credentials, install, failing } = open();
    await failing(() => {
      install("a");
      expect(credentials.findByIntegration("a")).toEqual(credential("a"));
    });
    expect(credentials.findByIntegration("a")).toBeUndefined();
  });
});

it("the first call of an operation is recorded again after a failed commit", async () => {
  const { world, failing } = open();
  const { requests } = world.stores;
  await failing(() => requests.insert(exchangeRecord("undone")));
  await world.write(() => requests.insert(exchangeRecord("stored")));
  expect(requests.firstDone().map(({ id }) => id)).toEqual(["stored"]);
});

describe("cached recipients", () => {
  it("are read from the file once, and follow subscriptions and installations", async () => {
    const { db, world, subscriptions, install, subscribe, recipients } = open();
    await world.write(() => {
      install("a");
      subscribe("1", "a");
    });
    const reads = vi.spyOn(db, "all");
    expect([recipients(), recipients(), reads.mock.calls.length]).toEqual([["1"], ["1"], 1]);
    await world.write(() => subscribe("2", "a"));
    expect(recipients()).toEqual(["1", "2"]);
    await world.write(() => subscriptions.end("1"));
    expect(recipients()).toEqual(["2"]);
    // An address may be subscribed for an integration that is installed later.
    await world.write(() => subscribe("3", "b"));
    expect(recipients()).toEqual(["2"]);
    await world.write(() => install("b"));
    expect(recipients()).toEqual(["2", "3"]);
  });

  it("are separate for each side and organization", async () => {
    const { world, credentials, subscriptions, subscribe } = open();
    await world.write(() => {
      credentials.insert({ ...credential("other side"), scope: "supplier" });
      credentials.insert({ ...credential("other organization"), organization_id: "seller" });
      subscribe("1", "other side");
      subscribe("2", "other organization");
    });
    for (let call = 0; call < 2; call += 1) {
      const found = (["buyer", "seller"] as const).map((organization) =>
        (["repairer.jobs", "supplier.procurements"] as const).map((type) =>
          subscriptions.recipients(organization, type).map(({ id }) => id),
        ),
      );
      expect(found).toEqual([
        [[], ["1"]],
        [["2"], []],
      ]);
    }
  });

  it("include concurrent changes, but not undone ones", async () => {
    const { world, install, subscribe, subscriptions, recipients } = open();
    await world.write(() => {
      install("a");
      subscribe("1", "a");
    });
    const seen = await Promise.all([
      world.write(() => {
        subscribe("2", "a");
        return recipients();
      }),
      world.write(() => {
        subscribe("refused", "a");
        return new Undo(recipients());
      }),
      world.write(() => {
        subscriptions.end("1");
        return new Undo(recipients());
      }),
      world.write(() => recipients()),
    ]);
    expect(seen).toEqual([["1", "2"], ["1", "2", "refused"], ["2"], ["1", "2"]]);
    expect(recipients()).toEqual(["1", "2"]);
  });

  it("drop an undone installation, whether by a refusal, an error or the disk", async () => {
    const { world, install, subscribe, recipients, failing } = open();
    await world.write(() => subscribe("1", "a"));
    const installAndLook = (): string[] => {
      install("a");
      return recipients();
    };
    expect(await world.write(() => new Undo(installAndLook()))).toEqual(["1"]);
    expect(recipients()).toEqual([]);
    const thrown = world.write(() => {
      expect(installAndLook()).toEqual(["1"]);
      throw new Error("no");
    });
    await expect(thrown).rejects.toThrow("no");
    expect(recipients()).toEqual([]);
    await failing(() => expect(installAndLook()).toEqual(["1"]));
    expect(recipients()).toEqual([]);
  });
});
