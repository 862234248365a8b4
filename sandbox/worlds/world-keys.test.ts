import { expect, it, onTestFinished } from "vitest";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { openStores } from "../storage/stores.ts";
import { createSeededDatabase } from "./template.ts";
import { ensureKeys, newOwnKeys, replaceKeys, resolveKeys } from "./world-keys.ts";

const own = newOwnKeys();
const { repairer, supplier } = own.credentials;

/** A seeded world with a repairer's installed integration and a subscription of its pre-loaded one. */
const createWorld = () => {
  const db = createSeededDatabase(null);
  onTestFinished(() => db.close());
  const { credentials, subscriptions } = openStores(db);
  const organization_id =
    credentials.findByIntegration(fixedCredentials.repairer.integration_id)?.organization_id ?? "";
  const keys = { api_key: "isk_installed", webhook_secret: "pwh_installed" };
  const { client_id } = fixedClients.demo;
  const installed = { integration_id: "installed", organization_id, scope: "repairer", client_id, ...keys } as const;
  credentials.insert({ ...installed, preloaded: false, created_at: 0 });
  const { integration_id } = fixedCredentials.repairer;
  subscriptions.insert({ id: "s", integration_id, url: "http://127.0.0.1/", created_at: 0 });
  const read = () => {
    const stores = openStores(db);
    const secrets = stores.credentials.list().map((one) => [one.integration_id, [one.api_key, one.webhook_secret]]);
    const clients = stores.credentials.clients().map((one) => [one.client_id, one.client_secret]);
    return {
      credentials: Object.fromEntries(secrets) as Record<string, string[]>,
      clients: Object.fromEntries(clients) as Record<string, string>,
      subscribed: stores.subscriptions.list().map((one) => one.integration_id),
      installedBy: stores.credentials.findByIntegration("installed")?.client_id,
    };
  };
  return { db, read };
};

it("own keys replace the service's, except for the IDs of clients", () => {
  const clients = { demo: { client_id: "d", client_secret: "ds" }, no_oauth: { client_id: "n", client_secret: "ns" } };
  const given = { credentials: fixedCredentials, clients } as never;
  expect(resolveKeys(null, undefined)).toEqual({ credentials: fixedCredentials, clients: fixedClients });
  expect(resolveKeys(given, undefined)).toEqual(given);
  expect(resolveKeys(given, own)).toEqual({
    credentials: own.credentials,
    clients: {
      demo: { client_id: "d", client_secret: own.secrets.demo },
      no_oauth: { client_id: "n", client_secret: own.secrets.no_oauth },
    },
  });
});

it("a world gets its keys in every place that names them, and installed integrations get new secrets", () => {
  const { db, read } = createWorld();
  const keys = resolveKeys(null, own);
  ensureKeys(db, keys);
  const { credentials, ...named } = read();
  const { installed = [], ...preloaded } = credentials;
  expect(preloaded).toEqual({
    [repairer.integration_id]: [repairer.api_key, repairer.webhook_secret],
    [supplier.integration_id]: [supplier.api_key, supplier.webhook_secret],
  });
  expect(installed).toEqual([expect.stringMatching(/^isk_[0-9a-f]{32}$/), expect.stringMatching(/^pwh_[\w-]{43}$/)]);
  expect(named).toEqual({
    clients: {
      [fixedClients.demo.client_id]: own.secrets.demo,
      [fixedClients.no_oauth.client_id]: own.secrets.no_oauth,
    },
    ...{ subscribed: [repairer.integration_id], installedBy: fixedClients.demo.client_id },
  });
});

it("a world that has its keys stays as it is, and any other key is replaced", () => {
  const { db, read } = createWorld();
  const keys = resolveKeys(null, own);
  ensureKeys(db, keys);
  const before = read();
  ensureKeys(db, keys);
  expect(read()).toEqual(before);
  ensureKeys(db, { ...keys, clients: fixedClients });
  expect(read().clients[fixedClients.demo.client_id]).toBe(fixedClients.demo.client_secret);
  ensureKeys(db, { clients: fixedClients, credentials: { ...keys.credentials, supplier: fixedCredentials.supplier } });
  const { integration_id, api_key, webhook_secret } = fixedCredentials.supplier;
  expect(read().credentials[integration_id]).toEqual([api_key, webhook_secret]);
});

it("other clients take the place of a world's, and installed integrations may keep their secrets", () => {
  const { db, read } = createWorld();
  const clients = {
    demo: { client_id: "their-demo", client_secret: "demo-secret" },
    no_oauth: { client_id: "their-other", client_secret: "other-secret" },
  };
  replaceKeys(db, { credentials: own.credentials, clients }, false);
  const { credentials, ...named } = read();
  expect(credentials.installed).toEqual(["isk_installed", "pwh_installed"]);
  expect(named).toMatchObject({
    clients: { "their-demo": "demo-secret", "their-other": "other-secret" },
    installedBy: "their-demo",
  });
});
