import { describe, expect, it } from "vitest";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { openApiDocument } from "../../../sandbox/contract/openapi/document.ts";
import { type ActsAs, breakages, type ConsoleCall, holdsSecret, readCall } from "../../domain/exchange/console-call.ts";
import { toCurl } from "../../domain/exchange/curl.ts";
import { type Declared, listOperations, type OpenApiDocument } from "../../domain/exchange/declarations.ts";
import { actorProblem, defaultActor, maskedRequest, outgoing, outgoingCredential } from "./outgoing.ts";

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

describe("an outgoing call", () => {
  it("has the key and integration of its actor", () =>
    expect(sent(as({ kind: "credential", integration_id: "b" }))).toEqual({
      method: "POST",
      path: "/api/2026-01/repairer.jobs.insert",
      headers: { "content-type": "application/json", authorization: "Bearer isk_buyer", "service-integration-id": "b" },
      body: "{}",
    }));
  it("has neither if it acts as no one", () =>
    expect(sent(as({ kind: "none" })).headers).toEqual({ "content-type": "application/json" }));
  it("has the chosen broken credential", () => {
    const [bare, scheme, pair, scope] = breakages.map((how) => sent(as({ kind: "broken", how })).headers);
    expect(bare).toMatchObject({ authorization: "isk_buyer", "service-integration-id": "b" });
    expect(scheme).toMatchObject({ authorization: "Basic isk_buyer" });
    expect(pair).toMatchObject({ authorization: "Bearer isk_buyer" });
    expect(pair?.["service-integration-id"]).not.toBe("b");
    expect(scope).toMatchObject({ authorization: "Bearer isk_seller", "service-integration-id": "s" });
  });
  it("can name another world, and own headers replace the defaults", () => {
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
  it("omits an empty body", () => expect(sent(as({ kind: "none" }, { body: "" }))).not.toHaveProperty("body"));
  it("encodes its parameters in path and query", () => {
    const call = as({ kind: "none" }, { parameters: { id: "a/../b?", expires: "1&x=2", signature: "" }, body: "x" });
    expect(sent(call, declaredOf("uploads.put")).path).toBe("/__uploads/a%2F..%2Fb%3F?expires=1%26x%3D2");
  });
});

describe("the expected refusal of a credential", () => {
  const problem = (actAs: ActsAs) =>
    actorProblem(actAs, insert, outgoingCredential(actAs, insert, credentials))?.status ?? null;
  it("follows from the declaration", () => {
    expect(problem({ kind: "credential", integration_id: "b" })).toBeNull();
    expect(problem({ kind: "credential", integration_id: "s" })).toBe(403);
    expect(problem({ kind: "none" })).toBe(401);
    expect(problem({ kind: "broken", how: "bare" })).toBe(401);
    expect(problem({ kind: "broken", how: "wrong-scope" })).toBe(403);
  });
  it("defaults to a credential of the operation's side", () => {
    expect(defaultActor(insert, credentials)).toEqual({ kind: "credential", integration_id: "b" });
    expect(defaultActor(declaredOf("supplier.procurements.get"), credentials)).toMatchObject({ integration_id: "s" });
    expect(defaultActor(declaredOf("integrations.insert"), credentials)).toEqual({ kind: "none" });
    expect(defaultActor(insert, [])).toEqual({ kind: "none" });
  });
});

describe("a call as code", () => {
  it("contains no key", () => {
    for (const how of breakages) {
      const call = as({ kind: "broken", how });
      const code = toCurl(
        maskedRequest({
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

describe("a stored call", () => {
  it("reads back the same, and is ignored for another operation or if invalid", () => {
    const call = as({ kind: "broken", how: "bare" }, { parameters: { a: "1" }, headers: [["x", "y"]] });
    expect(readCall(insert.id, JSON.parse(JSON.stringify(call)))).toEqual(call);
    expect(readCall("another", call)).toBeNull();
    expect(readCall(insert.id, { ...call, actAs: { kind: "broken", how: "odd" } })).toBeNull();
    expect(readCall(insert.id, { ...call, headers: [["x"]] })).toBeNull();
    expect(readCall(insert.id, null)).toBeNull();
  });
});

describe("the check for secrets before storing a call", () => {
  const of = (body: string, headers: ConsoleCall["headers"] = []) => holdsSecret({ body, headers });
  it("accepts masks and other fields", () => {
    expect(of('{"client_secret": "••••91bc", "job_number": "J-1", "note": "secret"}')).toBe(false);
    expect(of("{}", [["authorization", "Bearer ••••91bc"]])).toBe(false);
  });
  it.each(["client_secret", "webhook_secret", "api_key", "access_code"])("finds %s, even in invalid JSON", (field) => {
    expect(of(`{"${field}": "shh"`)).toBe(true);
  });
  it("finds a key in a header", () => expect(of("{}", [["Authorization", "Bearer shh"]])).toBe(true));
});
