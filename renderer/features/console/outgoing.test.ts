import { describe, expect, it } from "vitest";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { openApiDocument } from "../../../sandbox/contract/openapi/document.ts";
import { type ActsAs, breakages, type ConsoleCall, holdsSecret, readCall } from "../../domain/exchange/console-call.ts";
import { toCurl } from "../../domain/exchange/curl.ts";
import { type Declared, listOperations, type OpenApiDocument } from "../../domain/exchange/declarations.ts";
import { actorProblem, defaultActor, masked, outgoing, outgoingCredential } from "./outgoing.ts";

const all = listOperations(openApiDocument("http://127.0.0.1:4810") as unknown as OpenApiDocument);
const declaredOf = (id: string): Declared => all.find((one) => one.id === id) ?? expect.unreachable(id);
const insert = declaredOf("repairer.jobs.insert");

const buyer = { integration_id: "b", scope: "repairer", organization_id: "o", preloaded: true, api_key: "isk_buyer" };
const seller = { ...buyer, integration_id: "s", scope: "supplier", api_key: "isk_seller" };
const credentials = [buyer, seller] as unknown as readonly Credential[];
const as = (actAs: ActsAs, more: Partial<ConsoleCall> = {}): ConsoleCall => ({
  operation: insert.id,
  body: "{}",
  actAs,
  headers: [],
  ...more,
});
const sent = (call: ConsoleCall, declared = insert) =>
  outgoing({
    declared,
    call,
    credential: outgoingCredential(call.actAs, declared, credentials),
    world: "default",
    controlToken: "token",
  });

describe("a call as it goes out", () => {
  it("has the key and the integration of whom it is made as", () =>
    expect(sent(as({ kind: "credential", integration_id: "b" }))).toEqual({
      method: "POST",
      path: "/api/2026-01/repairer.jobs.insert",
      headers: { "content-type": "application/json", authorization: "Bearer isk_buyer", "service-integration-id": "b" },
      body: "{}",
    }));
  it("has neither where it is made as nobody", () =>
    expect(sent(as({ kind: "none" })).headers).toEqual({ "content-type": "application/json" }));
  it("has a credential that is broken in the way that was chosen", () => {
    const [bare, scheme, pair, scope] = breakages.map((how) => sent(as({ kind: "broken", how })).headers);
    expect(bare).toMatchObject({ authorization: "isk_buyer", "service-integration-id": "b" });
    expect(scheme).toMatchObject({ authorization: "Basic isk_buyer" });
    expect(pair).toMatchObject({ authorization: "Bearer isk_buyer" });
    expect(pair?.["service-integration-id"]).not.toBe("b");
    expect(scope).toMatchObject({ authorization: "Bearer isk_seller", "service-integration-id": "s" });
  });
  it("names another world, and has the headers of one's own in place of the usual", () => {
    const call = as(
      { kind: "none" },
      {
        headers: [
          ["Content-Type", "text/plain"],
          ["X-Sandbox-Tenant", "elsewhere"],
        ],
      },
    );
    expect(sent(call).headers).toEqual({ "content-type": "text/plain", "x-sandbox-tenant": "elsewhere" });
  });
  it("has no body where there is none to be sent", () =>
    expect(sent(as({ kind: "none" }, { body: "" }))).not.toHaveProperty("body"));
  it("has its parameters in the path and the query, as text and nothing else", () => {
    const call = as({ kind: "none" }, { parameters: { id: "a/../b?", expires: "1&x=2", signature: "" }, body: "x" });
    expect(sent(call, declaredOf("uploads.put")).path).toBe("/__uploads/a%2F..%2Fb%3F?expires=1%26x%3D2");
  });
});

describe("whether a credential fits", () => {
  const problem = (actAs: ActsAs) =>
    actorProblem(actAs, insert, outgoingCredential(actAs, insert, credentials))?.status ?? null;
  it("is known from the declaration", () => {
    expect(problem({ kind: "credential", integration_id: "b" })).toBeNull();
    expect(problem({ kind: "credential", integration_id: "s" })).toBe(403);
    expect(problem({ kind: "none" })).toBe(401);
    expect(problem({ kind: "broken", how: "bare" })).toBe(401);
    expect(problem({ kind: "broken", how: "wrong-scope" })).toBe(403);
  });
  it("is of the side an operation is for, until somebody chooses", () => {
    expect(defaultActor(insert, credentials)).toEqual({ kind: "credential", integration_id: "b" });
    expect(defaultActor(declaredOf("supplier.procurements.get"), credentials)).toMatchObject({ integration_id: "s" });
    expect(defaultActor(declaredOf("integrations.insert"), credentials)).toEqual({ kind: "none" });
    expect(defaultActor(insert, [])).toEqual({ kind: "none" });
  });
});

describe("a call as code", () => {
  it("has no key in it", () => {
    for (const how of breakages) {
      const call = as({ kind: "broken", how });
      const code = toCurl(
        masked({
          declared: insert,
          call,
          credential: outgoingCredential(call.actAs, insert, credentials),
          world: "default",
          controlToken: "token",
        }),
        "http://127.0.0.1:4810",
      );
      expect(code).not.toContain("isk_");
      expect(code).toContain('"$API_KEY"');
    }
  });
});

describe("a call that was written down", () => {
  it("is the same when it is read again, and none where it is another's or makes no sense", () => {
    const call = as({ kind: "broken", how: "bare" }, { parameters: { a: "1" }, headers: [["x", "y"]] });
    expect(readCall(insert.id, JSON.parse(JSON.stringify(call)))).toEqual(call);
    expect(readCall("another", call)).toBeNull();
    expect(readCall(insert.id, { ...call, actAs: { kind: "broken", how: "odd" } })).toBeNull();
    expect(readCall(insert.id, { ...call, headers: [["x"]] })).toBeNull();
    expect(readCall(insert.id, null)).toBeNull();
  });
});

describe("a call that is written down", () => {
  const of = (body: string, headers: ConsoleCall["headers"] = []) => holdsSecret({ body, headers });
  it("is one without a secret: masks and other fields are none", () => {
    expect(of('{"client_secret": "••••91bc", "job_number": "J-1", "note": "secret"}')).toBe(false);
    expect(of("{}", [["authorization", "Bearer ••••91bc"]])).toBe(false);
  });
  it.each(["client_secret", "webhook_secret", "api_key", "access_code"])(
    "is none with %s, also in what is no JSON",
    (field) => {
      expect(of(`{"${field}": "shh"`)).toBe(true);
    },
  );
  it("is none with a key of its own in a header", () => expect(of("{}", [["Authorization", "Bearer shh"]])).toBe(true));
});
