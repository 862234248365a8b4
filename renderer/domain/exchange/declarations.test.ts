import { describe, expect, it } from "vitest";
import { controlDocument, openApiDocument } from "../../../sandbox/contract/openapi/document.ts";
import { partnerCalls } from "../../../sandbox/contract/operations/partner-calls.ts";
import { type Declared, listOperations, matchesSearch, type OpenApiDocument } from "./declarations.ts";

const origin = "http://127.0.0.1:4810";
const all = [openApiDocument(origin), controlDocument(origin)].flatMap((one) =>
  listOperations(one as unknown as OpenApiDocument),
);
const byId = (id: string): Declared => all.find((one) => one.id === id) ?? expect.unreachable(id);

describe("the service's declarations", () => {
  it("contain every partner operation in its group", () => {
    for (const [id, { surface }] of Object.entries(partnerCalls)) expect(byId(id).group, id).toBe(surface);
    expect(byId("webhooks.subscribe").group).toBe("route");
    expect(byId("requests.list")).toMatchObject({
      group: "control",
      scope: "control",
      path: "/__sandbox/requests.list",
    });
  });

  it("list scope, decisions, error codes and an example of an operation", () => {
    const insert = byId("repairer.jobs.insert");
    expect(insert).toMatchObject({ scope: "repairer", method: "POST", title: "Insert job", origin: "contract" });
    expect(insert.decisions.map(({ id }) => id)).toContain("D30");
    for (const { text } of insert.decisions) expect(text).not.toBe("");
    expect(insert.errorCodes).toEqual(expect.arrayContaining(["unauthorized", "work_provider_not_found"]));
    expect(insert.fieldNames).toEqual(expect.arrayContaining(["identity", "external", "plate_number", "exists"]));
    expect(insert.examples[0]?.[1]).toMatchObject({ claim_number: "LRM-7731904" });
    expect(byId("repairer.jobs.parts.insert").errorCodes).toContain("unprocessable");
    expect(byId("businesses.list").scope).toBe("either");
    expect(byId("integrations.insert").scope).toBe("none");
    expect(byId("webhooks.secret").scope).toBe("either");
    expect(byId("webhooks.subscribe").errorCodes).toContain("url_not_loopback");
    expect(byId("uploads.put")).toMatchObject({ takesJson: false, takesFile: "image/*" });
    expect(all.map(({ id }) => id)).not.toContain("live");
    expect(byId("oauth.authorize").parameters.map(({ name }) => name)).toContain("redirect_uri");
  });

  it("match every typed word: name, field or error", () => {
    const found = (typed: string) => all.filter((one) => matchesSearch(one, typed)).map(({ id }) => id);
    expect(found("insert job")).toContain("repairer.jobs.insert");
    expect(found("plate_number insert")).toContain("repairer.jobs.insert");
    expect(found("work_provider_not_found")).toEqual(["repairer.jobs.insert"]);
    expect(found("insert unicorn")).toEqual([]);
  });
});
