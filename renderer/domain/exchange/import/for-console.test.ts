import { describe, expect, it } from "vitest";
import { type Reachable, recognised } from "./for-console.ts";
import type { ImportedCall } from "./imported.ts";

const origin = "http://127.0.0.1:4026";
const partner = (id: string): Reachable => ({
  id,
  method: "POST",
  path: `/api/2026-01/${id}`,
  takesToken: false,
  parameters: [],
});
const operations: readonly Reachable[] = [
  partner("repairer.jobs.get"),
  partner("repairer.jobs.insert"),
  { id: "worlds.list", method: "POST", path: "/__sandbox/worlds.list", takesToken: true, parameters: [] },
  {
    id: "media.get",
    method: "GET",
    path: "/__media/{id}/{name}",
    takesToken: false,
    parameters: ["id", "name", "size"],
  },
];
const tarn = {
  integration_id: "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
  organization_name: "Tarn & Rowe",
  api_key: "isk_abc91bc",
  key_hint: "isk_••••91bc",
};
const around = { operations, keys: [tarn], here: "qa", origin };
const call = (some: Partial<ImportedCall>): ImportedCall => ({
  ...{ name: "", method: "POST", url: `${origin}/api/2026-01/repairer.jobs.get`, headers: [], body: "", leftOut: [] },
  ...some,
});
const withKey = (key: string, id = tarn.integration_id) =>
  recognised(
    call({
      headers: [
        ["Authorization", key],
        ["Service-Integration-ID", id],
      ],
    }),
    around,
  );
const left = (of: { readonly leftOut: readonly { readonly what: string }[] }) => of.leftOut.map(({ what }) => what);

describe("an imported call", () => {
  it("is of the operation that its address is", () => {
    const { operation, nearest, leftOut } = recognised(call({}), around);
    expect([operation?.id, nearest, leftOut]).toEqual(["repairer.jobs.get", [], []]);
    expect(recognised(call({ url: "/api/2026-01/repairer.jobs.get" }), around).operation?.id).toBe("repairer.jobs.get");
    expect(recognised(call({ url: "127.0.0.1:4026/api/2026-01/repairer.jobs.get" }), around).leftOut).toEqual([]);
  });

  it.each(["$BASE", "${BASE}", "{{base}}", "$env:BASE", "%BASE%", "http://$HOST"])(
    "is sent to this service where its address is not said: %s",
    (base) => {
      const what = base.replace("http://", "");
      const leftOut = [{ what, why: "It comes from where the command is run." }];
      const one = recognised(call({ url: `${base}/api/2026-01/repairer.jobs.get`, leftOut }), around);
      expect([one.operation?.id, one.leftOut]).toEqual(["repairer.jobs.get", []]);
      expect(one.understood[0]).toEqual([what, `this service, ${origin}`]);
    },
  );

  it("says whose key is sent for one that is not said", () => {
    const headers = [
      ["Authorization", "Bearer $env:KEY"],
      ["Service-Integration-ID", tarn.integration_id],
    ] as const;
    const leftOut = [{ what: "$env:KEY", why: "It comes from where the command is run." }];
    const one = recognised(call({ headers, leftOut }), around);
    expect(one.understood).toContainEqual([
      "authorization, service-integration-id",
      "as Tarn & Rowe, with its key in this world",
    ]);
    expect(one.leftOut).toEqual([]);
    const nobody = recognised(call({ headers: headers.slice(0, 1), leftOut }), around);
    expect([nobody.actor, left(nobody)]).toEqual([{ kind: "unknown", named: null }, ["$env:KEY", "authorization"]]);
  });

  it("that reaches no operation may mean the nearest", () => {
    const { operation, nearest } = recognised(call({ url: `${origin}/api/2026-01/repairer.job.get` }), around);
    expect([operation, nearest.map(({ id }) => id)]).toEqual([null, expect.arrayContaining(["repairer.jobs.get"])]);
    for (const url of ["", "http://", "javascript:alert(1)", "http://[", "\u0000"])
      expect(recognised(call({ url }), around).operation, url).toBeNull();
  });

  it("has what is in its path and its query, and says what the operation does not take there", () => {
    const one = recognised(call({ method: "GET", url: "/__media/a%20b/%ff.png?size=2&other=1" }), around);
    expect(one.parameters).toEqual({ id: "a b", name: "%ff.png", size: "2" });
    expect(left(one)).toEqual(["?other=1"]);
  });

  it("is sent to this service with the operation's method, and that is said", () =>
    expect(
      left(recognised(call({ method: "GET", url: "https://api.example.com/api/2026-01/repairer.jobs.get" }), around)),
    ).toEqual(["https://api.example.com", "GET"]));

  it.each([
    "Bearer isk_abc91bc",
    "bearer  isk_abc91bc",
    "Bearer isk_••••91bc",
    "Bearer $API_KEY",
    "Bearer {{api_key}}",
  ])("is made as the integration whose key it has, or one that stands for it: %s", (key) => {
    const { actor, headers, leftOut } = withKey(key);
    expect(actor).toEqual({ kind: "credential", integration_id: tarn.integration_id });
    expect([headers, leftOut]).toEqual([[], []]);
  });

  it.each([
    ["Bearer isk_other", tarn.integration_id, tarn.integration_id],
    ["isk_abc91bc", tarn.integration_id.toUpperCase(), tarn.integration_id],
    ["Basic abc", tarn.integration_id, tarn.integration_id],
    ["Bearer isk_abc91bc", "8e27b4d6-51ac-4f39-a0c8-93d4e5f60b72", null],
    ["Bearer isk_abc91bc", "", null],
  ])(
    "with a key that is not of its integration leaves a person to choose, and forgets the key: %s",
    (key, id, named) => {
      const one = withKey(key, id);
      expect([one.actor, left(one)]).toEqual([{ kind: "unknown", named }, ["authorization"]]);
      expect(one.leftOut[0]?.why).toContain(
        key.startsWith("Basic")
          ? "isn’t supported"
          : named === null
            ? "doesn’t belong to this world"
            : "doesn’t belong to this integration",
      );
      expect(one.understood).toEqual(
        named === null ? [expect.anything()] : [expect.anything(), ["service-integration-id", "of Tarn & Rowe"]],
      );
      expect(JSON.stringify(one)).not.toContain(key.split(" ").at(-1));
    },
  );

  it("without a key is made without", () => expect(recognised(call({}), around).actor).toEqual({ kind: "none" }));

  it("of the control plane takes the window's own token", () => {
    const headers = [["authorization", "Bearer token"]] as const;
    const one = recognised(call({ url: "/__sandbox/worlds.list", headers }), around);
    expect([one.actor, one.headers, left(one)]).toEqual([{ kind: "none" }, [], ["authorization"]]);
  });

  it("keeps the headers that a page can send, and names its world where it is another", () => {
    const headers = [
      ...([
        ["Host", "x"],
        ["Cookie", "c=1"],
        ["Content-Type", "application/json"],
        ["X-Trace", "1"],
      ] as const),
      ["X-Sandbox-Tenant", "other"] as const,
    ];
    const one = recognised(call({ headers, body: "{}" }), around);
    expect([one.headers, one.tenant, one.body]).toEqual([[["x-trace", "1"]], "other", "{}"]);
    expect(left(one)).toEqual(["host, cookie"]);
    expect(recognised(call({ headers: [["x-sandbox-tenant", "qa"]] }), around).tenant).toBeNull();
    const asText = [["content-type", "text/plain"]] as const;
    expect(recognised(call({ headers: asText }), around).headers).toEqual(asText);
  });
});
