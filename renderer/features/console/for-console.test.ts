import { describe, expect, it } from "vitest";
import type { Declared } from "../../domain/exchange/declarations.ts";
import type { ImportedCall } from "../../domain/exchange/import/imported.ts";
import { recognizeCall } from "./for-console.ts";

const origin = "http://127.0.0.1:4026";
const operation = (of: Partial<Declared>) => ({ method: "POST", scope: "repairer", parameters: [], ...of }) as Declared;
const operations = [
  operation({ id: "repairer.jobs.get", path: "/api/2026-01/repairer.jobs.get" }),
  operation({ id: "worlds.list", path: "/__sandbox/worlds.list", scope: "control" }),
  operation({
    ...{ id: "media.get", method: "GET", path: "/__media/{id}/{name}" },
    parameters: ["id", "name", "size"].map(
      (name) => ({ name, in: name === "size" ? "query" : "path" }) as Declared["parameters"][number],
    ),
  }),
];
const tarn = { integration_id: "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01", api_key: "isk_abc91bc" };
const call = (some: Partial<ImportedCall>) =>
  recognizeCall(
    { method: "POST", url: `${origin}/api/2026-01/repairer.jobs.get`, headers: [], body: "", leftOut: [], ...some },
    { operations, keys: [tarn] },
  );
const withKey = (key: string, id = tarn.integration_id) =>
  call({
    headers: [
      ["Authorization", key],
      ["Service-Integration-ID", id],
    ],
  });

describe("an imported call", () => {
  it.each([`${origin}/`, "/", "127.0.0.1:4026/", "$BASE/", "{{base}}/", "http://$HOST/"])(
    "belongs to the operation of its path, wherever it was sent: %s",
    (base) => expect(call({ url: `${base}api/2026-01/repairer.jobs.get` }).operation).toBe("repairer.jobs.get"),
  );

  it("may match no operation", () => {
    for (const url of ["", "http://", "javascript:alert(1)", "http://[", "\u0000", "/api/2026-01/repairer.job.get"])
      expect(call({ url }).operation, url).toBeNull();
  });

  it("gets the path and query parameters that its operation takes", () =>
    expect(call({ method: "GET", url: "/__media/a%20b/%ff.png?size=2&other=1" }).parameters).toEqual({
      ...{ id: "a b", name: "%ff.png", size: "2" },
    }));

  it.each([
    "Bearer isk_abc91bc",
    "bearer  isk_abc91bc",
    "Bearer isk_••••91bc",
    "Bearer $API_KEY",
    "Bearer {{api_key}}",
  ])("acts as the integration of its key or placeholder: %s", (key) =>
    expect(withKey(key)).toMatchObject({
      ...{ actAs: { kind: "credential", integration_id: tarn.integration_id }, headers: [] },
    }),
  );

  it.each([
    ["Bearer isk_other", tarn.integration_id],
    ["isk_abc91bc", tarn.integration_id.toUpperCase()],
    ["Basic abc", tarn.integration_id],
    ["Bearer isk_abc91bc", "8e27b4d6-51ac-4f39-a0c8-93d4e5f60b72"],
    ["Bearer isk_abc91bc", ""],
  ])("with a foreign key is left without an actor, and drops the key: %s", (key, id) => {
    const one = withKey(key, id);
    expect(one.actAs).toBeNull();
    expect(JSON.stringify(one)).not.toContain(key.split(" ").at(-1));
  });

  it("without a key acts as no one, and on the control plane with the window's token", () => {
    expect(call({}).actAs).toEqual({ kind: "none" });
    const headers = [["authorization", "Bearer token"]] as const;
    expect(call({ url: "/__sandbox/worlds.list", headers })).toMatchObject({ actAs: { kind: "none" }, headers: [] });
  });

  it("keeps the headers that a page can send, including its world", () => {
    const headers = [
      ["Host", "x"],
      ["Cookie", "c=1"],
      ["Content-Type", "application/json"],
      ["X-Trace", "1"],
      ["X-Sandbox-Tenant", "other"],
    ] as const;
    expect(call({ headers, body: "{}" })).toMatchObject({
      ...{
        headers: [
          ["x-trace", "1"],
          ["x-sandbox-tenant", "other"],
        ],
        body: "{}",
      },
    });
    const asText = [["content-type", "text/plain"]] as const;
    expect(call({ headers: asText }).headers).toEqual(asText);
  });
});
