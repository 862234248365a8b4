import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { partnerPath } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { Scenario } from "../../../../sandbox/contract/scenario.ts";
import { type Draft, draftOf } from "./for-scenario.ts";
import { readCalls } from "./read-calls.ts";

const KEY = "isk_0123456789abcdef0123456789abcdef";
const BUYER = "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01";
const SELLER = "2f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a02";
const JOB = "3f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a03";

const entry = (path: string, body: unknown, response?: object, integration = BUYER) => ({
  request: {
    method: "POST",
    url: `https://api.example.com${path}`,
    headers: [
      { name: "Authorization", value: `Bearer ${KEY}` },
      { name: "service-integration-id", value: integration },
    ],
    postData: { text: typeof body === "string" ? body : JSON.stringify(body) },
  },
  ...(response ? { response } : {}),
});
const answer = (status: number, body: unknown) => ({ status, content: { text: JSON.stringify(body) } });
const har = (...entries: readonly object[]) => JSON.stringify({ log: { entries } });

const drafted = (...files: readonly (readonly [file: string, text: string])[]): Draft =>
  draftOf(
    "A draft",
    files.map(([file, text]) => ({ file, read: readCalls(text) })),
  );
/** Names that a reference may begin with. */
const always = ["repairer", "supplier", "client"];
/** Every text in JSON; names of members refer to nothing. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
/** The draft, held to be of the format, with references to what an earlier step saved alone. */
const accepted = ({ scenario }: Draft): Scenario => {
  const written: unknown = JSON.parse(JSON.stringify(scenario));
  expect(Check(Scenario, written), JSON.stringify(written)).toBe(true);
  const saved = new Set(always);
  for (const step of scenario?.steps ?? []) {
    for (const text of textsIn({ ...step, expect: null }))
      for (const [, name] of text.matchAll(/\{\{\s*([^{}.\s]*)/g)) expect(saved).toContain(name);
    if (step.save !== undefined) saved.add(step.save);
  }
  return written as Scenario;
};

describe("a HAR", () => {
  it("whose call was refused for its key makes the call without a key that is right", () => {
    const call = entry(partnerPath("businesses.list"), {}, answer(401, { type: "unauthorized" }));
    const [step] = accepted(drafted(["acme.har", har(call)])).steps;
    expect(step).toMatchObject({
      call: { headers: { authorization: "Bearer masked", "service-integration-id": "{{repairer.integration_id}}" } },
      expect: { status: 401 },
    });
    expect(step?.call).not.toHaveProperty("as");
  });

  it("alarms of no identifier of the seed, and says that a server’s failure is expected now", () => {
    const seeded = "3f0c9a52-6d3b-5e87-9b1a-2c5d7e8f9a03";
    const path = partnerPath("repairer.jobs.get");
    const draft = drafted(["acme.har", har(entry(path, { identity: { id: seeded } }, answer(503, {})))]);
    expect(accepted(draft).steps[0]).toMatchObject({ expect: { status: 503 } });
    expect(draft.leftOut).toEqual([
      {
        what: `POST ${path}`,
        why: "The step expects 503, because that was the response. The sandbox only returns it with a fault, so edit the expected status.",
      },
    ]);
    expect(draft.scenario?.notes).toHaveLength(1);
  });

  it("becomes steps with what was answered, where identifiers of earlier answers are references", () => {
    const draft = drafted([
      "acme.har",
      har(
        entry(partnerPath("repairer.jobs.insert"), { identity: { external: "x" } }, answer(200, { id: JOB })),
        entry(
          partnerPath("repairer.jobs.get"),
          { identity: { id: JOB } },
          answer(404, { type: "not_found", message: "no" }),
        ),
      ),
    ]);
    expect(accepted(draft).steps).toEqual([
      {
        save: "answer_1",
        call: { operation: "repairer.jobs.insert", as: "repairer", body: { identity: { external: "x" } } },
        expect: { status: 200 },
      },
      {
        call: { operation: "repairer.jobs.get", as: "repairer", body: { identity: { id: "{{answer_1.id}}" } } },
        expect: { status: 404, body: { type: "not_found" } },
      },
    ]);
    expect(draft.leftOut).toEqual([]);
  });

  it("is made by the side that its integration is, as its first call says", () => {
    const draft = drafted([
      "a.har",
      har(
        entry(partnerPath("supplier.procurements.confirm"), {}, undefined, SELLER),
        entry(partnerPath("businesses.list"), {}, undefined, SELLER),
        entry(partnerPath("businesses.list"), {}),
      ),
    ]);
    expect(accepted(draft).steps.map(({ call }) => call?.as)).toEqual(["supplier", "supplier", "repairer"]);
  });

  it("installs with a code of the world it runs in, and subscribes a built-in receiver", () => {
    const draft = drafted([
      "a.har",
      har(
        entry(partnerPath("integrations.insert"), {
          access_code: "ac_abcdefgh",
          client_secret: "s3cret",
          client_id: "c",
        }),
        entry("/__webhooks/subscribe", { integration_id: BUYER, url: "https://acme.example/hook" }),
      ),
    ]);
    expect(accepted(draft).steps.map(({ name, call }) => name ?? call?.operation)).toEqual([
      "Issue an access code",
      "integrations.insert",
      "The buyer listens",
    ]);
    expect(JSON.stringify(draft.scenario)).not.toMatch(/s3cret|ac_abcdefgh/);
  });
});

describe("other material", () => {
  it("is taken in the order of its files, by the numbers in their names", () => {
    const sites = `curl https://x${partnerPath("businesses.list")} -d '{}'`;
    const curl = `curl https://x${partnerPath("repairer.jobs.get")} -H 'authorization: Bearer ${KEY}' -d '{"identity":{"external":"{{job}}"}}'`;
    const draft = drafted(["10-get.sh", curl], ["2-sites.sh", sites]);
    expect(accepted(draft).steps.map(({ call }) => [call?.operation, call?.as])).toEqual([
      ["businesses.list", "nobody"],
      ["repairer.jobs.get", "repairer"],
    ]);
    expect(draft.leftOut).toContainEqual({
      what: "{{job}}",
      why: "A placeholder for a value that isn’t in the file.",
    });
  });

  it("lists what is no call of the contract, what cannot be read, and identifiers nobody gave out", () => {
    const draft = drafted(
      [
        "a.har",
        har(
          entry("/other", {}),
          entry("/other", {}),
          entry(partnerPath("repairer.jobs.get"), { identity: { id: JOB } }),
        ),
      ],
      ["broken.har", '{"log": {'],
    );
    expect(draft.leftOut.map(({ what }) => what)).toEqual(["broken.har", "POST /other (2 times)", JOB]);
    expect(accepted(draft).notes).toEqual([
      expect.stringMatching(/^broken\.har: ./),
      "POST /other (2 times): No operation has this path.",
      expect.stringMatching(new RegExp(`^${JOB}: This ID isn’t in the seed data`)),
    ]);
    expect(drafted(["a.har", har(entry("/other", {}))]).scenario).toBeNull();
  });

  it("keeps with it what was left out, and nothing secret of that", () => {
    const draft = drafted([
      "calls.sh",
      `export PARTNER_KEY=hunter2-of-acme\ncurl https://x${partnerPath("businesses.list")} -d '{}'\n`,
    ]);
    expect(draft.leftOut[0]?.what).toContain("hunter2-of-acme");
    expect(accepted(draft).notes).toEqual(["calls.sh: It is no cURL command. Nothing is run."]);
    expect(JSON.stringify(draft.scenario)).not.toContain("hunter2");
  });

  it("lists bodies and answers that are nested without end, and takes the rest", () => {
    const deep = (times: number) => `${'{"a":'.repeat(times)}1${"}".repeat(times)}`;
    const draft = drafted([
      "a.har",
      har(
        entry(partnerPath("businesses.list"), deep(50_000)),
        entry(partnerPath("businesses.list"), {}, { status: 200, content: { text: deep(50_000) } }),
      ),
    ]);
    expect(accepted(draft).steps).toHaveLength(1);
    expect(draft.leftOut).toEqual([
      {
        what: `POST ${partnerPath("businesses.list")}`,
        why: "The body is nested deeper than 100 levels.",
      },
    ]);
  });

  it("is cut where a scenario ends", () => {
    const many = Array.from({ length: 3_000 }, () => entry(partnerPath("businesses.list"), {}));
    const draft = drafted(["a.har", har(...many)]);
    expect(accepted(draft).steps.length).toBeLessThanOrEqual(1_000);
    expect(draft.leftOut.at(-1)?.what).toMatch(/calls at the end$/);
  });
});

it("masks what the material itself shows to be secret, wherever else it stands", () => {
  const curl = (extra: string) =>
    `curl https://x${partnerPath("repairer.jobs.insert")} -H 'authorization: Bearer our-own-gateway-key' -d '${extra}'`;
  const draft = drafted(
    ["a.sh", curl('{"claim_number":"ref our-own-gateway-key","password":"hunter22"}')],
    ["b.sh", `curl https://x${partnerPath("businesses.list")} -d '{"note":"hunter22"}'`],
  );
  expect(JSON.stringify(accepted(draft))).not.toMatch(/our-own-gateway-key|hunter22/);
  expect(draft.scenario?.steps[0]?.call?.body).toEqual({ claim_number: "ref masked", password: "masked" });
});

describe("whatever is in it", () => {
  const body = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ unit: fc.constantFrom("{{", "}}", "a", ".", KEY, '"', "{", "}", "\n") }),
  );
  it("is a scenario the service takes, without a key", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom(...(["repairer.jobs.insert", "integrations.insert", "businesses.list"] as const)),
            body,
            fc.option(fc.tuple(fc.integer({ min: 0, max: 700 }), body)),
          ),
          { maxLength: 6 },
        ),
        (calls) => {
          const draft = drafted([
            "a.har",
            har(
              ...calls.map(([id, sent, came]) =>
                entry(partnerPath(id), sent, came ? { status: came[0], content: { text: came[1] } } : undefined),
              ),
            ),
          ]);
          expect(JSON.stringify(draft)).not.toContain(KEY);
          if (draft.scenario) accepted(draft);
        },
      ),
    ));
});
