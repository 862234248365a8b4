import { fixedClients, fixedCredentials } from "../../../sandbox/contract/demo-values.ts";
import { bash } from "./bash.ts";
import { node } from "./node.ts";
import { powershell } from "./powershell.ts";
import { python } from "./python.ts";
import type { Block, Call, Field, Language, Step } from "./step.ts";

/** A page that carries out several steps one after the other. */
export interface Guide {
  readonly file: string;
  readonly blocks: readonly Block[];
}

const SINK = "{base}/__webhooks/sink";
const JOB = { job_identity: { external: "first-order" } };
const { client_id, client_secret } = fixedClients.demo;

const call = (by: string, path: string, body: Call["body"] = {}): Call => ({ by, path, body });
const caller = (name: string, key: string, integration: string): Step => ({ kind: "caller", name, key, integration });
const save = (name: string, field: Field, from: Call): Step => ({ kind: "save", name, field, call: from });
const print = (made: Call): Step => ({ kind: "print", call: made });

const demoCaller = (name: string, { api_key, integration_id }: (typeof fixedCredentials)["repairer" | "supplier"]) =>
  caller(name, api_key, integration_id);
const subscribe = (integration_id: string): Step =>
  print(call("post", "__webhooks/subscribe", { integration_id, url: SINK }));
const findSite = (by: string): Step =>
  save("site", { name: "id", item: ["type", "repairer_site"] }, call(by, "api/2026-01/businesses.list"));
const insertJob = (by: string, external: string, more: Call["body"]): Step =>
  print(call(by, "api/2026-01/repairer.jobs.insert", { identity: { external }, repairer_site_id: "{site}", ...more }));
const seeDeliveries: Block = [
  { kind: "wait", seconds: 3 },
  { kind: "printEach", call: call("control", "deliveries.list"), line: "{event_type} {announces} {status}" },
];

const firstOrder: Guide = {
  file: "docs/first-order.md",
  blocks: [
    [
      { kind: "open" },
      demoCaller("buyer", fixedCredentials.repairer),
      demoCaller("supplier", fixedCredentials.supplier),
    ],
    [{ kind: "printEach", call: call("buyer", "api/2026-01/businesses.list"), line: "{type}: {name}" }],
    [subscribe(fixedCredentials.repairer.integration_id), subscribe(fixedCredentials.supplier.integration_id)],
    [
      findSite("buyer"),
      insertJob("buyer", "first-order", {
        job_number: "FIRST-1",
        vehicle: { chassis_number: null, plate_number: "NKR482", plate_state: null },
      }),
      print(
        call("buyer", "api/2026-01/repairer.jobs.parts.insert", {
          ...JOB,
          parts: [{ description: "Front bumper cover", quantity: 1 }],
        }),
      ),
    ],
    [
      save("seller", { name: "id", item: "first" }, call("supplier", "api/2026-01/businesses.list")),
      save(
        "offer",
        { name: "sellable_id", list: "offers", item: ["supplier_business_id", "{seller}"] },
        call("buyer", "api/2026-01/repairer.jobs.baskets.latest.get", JOB),
      ),
      save(
        "order",
        { name: "id", item: "first" },
        call("buyer", "__extensions/2026-01/repairer.procurements.place", { ...JOB, sellable_ids: ["{offer}"] }),
      ),
      { kind: "say", text: "Order {order}" },
    ],
    [
      {
        kind: "print",
        call: call("supplier", "api/2026-01/supplier.procurements.confirm", { identity: { id: "{order}" } }),
        field: "status",
      },
    ],
    seeDeliveries,
  ],
};

const install: Guide = {
  file: "docs/install-an-integration.md",
  blocks: [
    [{ kind: "open" }],
    [
      save("organization", { name: "id", item: ["scope", "repairer"] }, call("control", "organizations.list")),
      save(
        "code",
        { name: "access_code" },
        call("control", "access-codes.issue", { client_id, organization_id: "{organization}", scope: "repairer" }),
      ),
    ],
    [
      {
        kind: "saveAll",
        fields: { key: "api_key", integration: "integration_id" },
        call: call("post", "api/2026-01/integrations.insert", { client_id, client_secret, access_code: "{code}" }),
      },
      { kind: "say", text: "Installed integration {integration}" },
    ],
    [
      caller("partner", "{key}", "{integration}"),
      subscribe("{integration}"),
      findSite("partner"),
      insertJob("partner", "installed-1", { job_number: "INSTALLED-1" }),
      ...seeDeliveries,
    ],
  ],
};

const TEAM = { world: "team" };
const faults: Guide = {
  file: "docs/faults-and-clock.md",
  blocks: [
    [{ kind: "open" }],
    [
      print(
        call("control", "faults.set", {
          ...TEAM,
          operation: "repairer.jobs.insert",
          effect: { error: { status: 503 } },
          uses: 1,
        }),
      ),
    ],
    [
      print(call("control", "clock.upcoming", TEAM)),
      print(call("control", "clock.advance", { ...TEAM, seconds: 900.001 })),
      print(call("control", "clock.reset", TEAM)),
    ],
  ],
};

export const guides: readonly Guide[] = [firstOrder, install, faults];
export const languages = [bash, node, python, powershell] as const;

/** A block in a language. */
export const writeBlock = ({ write }: Language, block: Block): string => block.map(write).join("\n");

/** Finds the block that a page shows for bash. */
export const findBlock = (code: string): Block | undefined =>
  guides.flatMap(({ blocks }) => blocks).find((block) => writeBlock(bash, block) === code.trimEnd());
