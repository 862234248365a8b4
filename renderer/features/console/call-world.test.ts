import { describe, expect, it } from "vitest";
import { controlDocument, openApiDocument } from "../../../sandbox/contract/openapi/document.ts";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import { toCurl } from "../../domain/exchange/curl.ts";
import { type Declared, listOperations, type OpenApiDocument } from "../../domain/exchange/declarations.ts";
import { needsConfirmation, targetWorld, withWorld } from "./call-world.ts";
import { maskedRequest, outgoing } from "./outgoing.ts";

const origin = "http://127.0.0.1:4026";
const all = [openApiDocument(origin), controlDocument(origin)].flatMap((document) =>
  listOperations(document as unknown as OpenApiDocument),
);
const declaredOf = (id: string): Declared => all.find((one) => one.id === id) ?? expect.unreachable(id);
const reset = declaredOf("worlds.reset");
const insert = declaredOf("repairer.jobs.insert");
const call = (operation: string, body: string, headers: ConsoleCall["headers"] = []): ConsoleCall => ({
  ...{ operation, body, headers, actAs: { kind: "none" } },
});

describe("the body of a control operation", () => {
  it.each(["", "{}", '{ "checkpoint": false }'])("gets the window’s world if it names none: %j", (body) =>
    expect(JSON.parse(withWorld(reset, body, "qa"))).toEqual({ ...JSON.parse(body || "{}"), world: "qa" }),
  );

  it("gets the world first and is otherwise unchanged", () =>
    expect(withWorld(declaredOf("clock.advance"), '{\n  "seconds": 1.50,\n  "seconds": 2\n}', "qa")).toBe(
      '{\n  "world": "qa",\n  "seconds": 1.50,\n  "seconds": 2\n}',
    ));

  it.each(['{"world":"default"}', '{"world":null}', "[]", "{", "null"])(
    "is unchanged if it names a world or isn't an object: %j",
    (body) => expect(withWorld(reset, body, "qa")).toBe(body),
  );

  it("is the only body with a world: partners use a header", () => expect(withWorld(insert, "{}", "qa")).toBe("{}"));

  it("names the world for each control plane operation that takes one", () => {
    const control = all.filter(({ group }) => group === "control");
    expect(control.length).toBeGreaterThan(90);
    for (const declared of control)
      if (declared.takesJson) expect(JSON.parse(withWorld(declared, "{}", "qa")), declared.id).toEqual({ world: "qa" });
  });
});

describe("a call of the Console", () => {
  const of = { declared: reset, call: call(reset.id, "{}"), world: "qa", credential: null, controlToken: "token" };

  it("goes to the window’s world even if none was typed", () =>
    expect(JSON.parse(outgoing(of).body ?? "")).toEqual({ world: "qa" }));

  it("is copied with its world", () => {
    const code = toCurl(maskedRequest(of), origin);
    expect(code).toContain('"world": "qa"');
  });

  it("shows its target world", () => {
    expect(targetWorld(reset, call(reset.id, "{}"), "qa")).toBe("qa");
    expect(targetWorld(reset, call(reset.id, '{"world":"default"}'), "qa")).toBe("default");
    expect(targetWorld(reset, call(reset.id, "{"), "qa")).toBe("qa");
    expect(targetWorld(reset, call(reset.id, '{"world":7}'), "qa")).toBe("qa");
    expect(targetWorld(insert, call(insert.id, '{"world":"default"}'), "qa")).toBe("qa");
    expect(targetWorld(insert, call(insert.id, "{}", [["X-Sandbox-Tenant", "other"]]), "qa")).toBe("other");
  });
});

it("asks for confirmation exactly for resets, deletions, restores, erasures and revocations", () => {
  const asked = all.filter(needsConfirmation).map(({ id }) => id);
  expect(asked.toSorted()).toEqual(
    [
      ...["clock.reset", "evidence.revoke", "receivers.delete", "repairer.jobs.delete", "scenarios.delete"],
      "service.erase",
      ...[
        "snapshots.delete",
        "snapshots.restore",
        "subscriptions.delete",
        "tokens.revoke",
        "worlds.delete",
        "worlds.reset",
      ],
    ].toSorted(),
  );
});
