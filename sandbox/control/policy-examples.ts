import { type Policies, type PolicyName, policyChoices } from "../contract/control/policies.ts";
import { type PolicyExample, policiesExamples } from "../contract/control/policy-examples.ts";
import type { Side } from "../contract/control/rows.ts";
import { errorCodes, Refusal } from "../contract/errors.ts";
import { execute } from "../operations/execute.ts";
import type { BoundHandler } from "../operations/handler.ts";
import { insertJob } from "../operations/repairer.jobs.insert.ts";
import { confirmProcurement } from "../operations/supplier.procurements.confirm.ts";
import { jobLabel, procurementLabel } from "../operations/views.ts";
import { partStatus } from "../rules/part-status.ts";
import type { JobRecord, ProcurementRecord } from "../rules/records.ts";
import { nextWaitMs } from "../rules/retry-schedule.ts";
import { newId } from "../storage/new-id.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

/** Among so many, the newest, something is looked for. */
const MOST_RECORDS = 1_000;

/** What an example is of, with whose call it would be. */
interface Case<T> {
  readonly record: T;
  readonly integration_id: string;
}

/** The newest record of an organization that has a credential. @param newest in SQL: its id and whose it is */
const newestOf = <T>(
  { db }: World,
  side: Side,
  newest: string,
  values: readonly string[],
  get: (id: string) => T | undefined,
): Case<T> | undefined => {
  const row = db.get<{ id: string; integration_id: string }>(
    `SELECT n.id, c.integration_id FROM (${newest} LIMIT ${MOST_RECORDS}) n
     JOIN credentials c ON c.organization_id = n.organization_id AND c.scope = ? ORDER BY n.place DESC LIMIT 1`,
    ...values,
    side,
  );
  const record = row && get(row.id);
  return row && record && { record, integration_id: row.integration_id };
};

const newestJob = (world: World): Case<JobRecord> | undefined =>
  newestOf(world, "repairer", "SELECT id, organization_id, seq AS place FROM jobs ORDER BY seq DESC", [], (id) =>
    world.stores.jobs.get(id),
  );

const newestOrder = (world: World, status: ProcurementRecord["status"]): Case<ProcurementRecord> | undefined =>
  newestOf(
    world,
    "supplier",
    "SELECT id, supplier_organization_id AS organization_id, updated_at AS place FROM procurements WHERE status = ? ORDER BY updated_at DESC",
    [status],
    (id) => world.stores.procurements.get(id),
  );

type Example = Omit<PolicyExample, "policy">;

const ofJob = (job: JobRecord): Omit<Example, "answers"> => ({
  label: jobLabel(job),
  job_id: job.id,
  procurement_id: null,
});
const ofOrder = (order: ProcurementRecord): Omit<Example, "answers"> => ({
  label: procurementLabel(order),
  job_id: order.job_id,
  procurement_id: order.id,
});

/** Tries every value of a switch. */
class Examples {
  readonly #world: World;
  readonly #baseUrl: string;

  constructor({ world, info }: ControlContext) {
    this.#world = world;
    this.#baseUrl = info.baseUrl;
  }

  async #called<N extends PolicyName>(
    policy: N,
    bound: BoundHandler,
    integrationId: string,
    body: object,
  ): Promise<Example["answers"]> {
    const credential = this.#world.stores.credentials.byIntegration(integrationId);
    const answers: Example["answers"] = [];
    for (const choice of policyChoices[policy]) {
      const { value, events } = await execute(bound, {
        world: this.#world,
        baseUrl: this.#baseUrl,
        traceId: newId(),
        signUpload: () => "",
        credentials: { authorization: `Bearer ${credential?.api_key}`, integrationId },
        contentType: "application/json",
        body: Buffer.from(JSON.stringify(body)),
        trial: { policies: { ...this.#world.policies, [policy]: choice } },
      });
      const code = value instanceof Refusal ? value.code : null;
      const status = code === null ? 200 : errorCodes[code].status;
      answers.push({ choice, operation: bound.operation.id, status, code, events });
    }
    return answers;
  }

  async #insert(policy: PolicyName, identity: (job: JobRecord) => object): Promise<Example | null> {
    const found = newestJob(this.#world);
    if (!found) return null;
    const { record: job, integration_id } = found;
    const body = { identity: identity(job), repairer_site_id: job.repairer_site_id };
    return { ...ofJob(job), answers: await this.#called(policy, insertJob, integration_id, body) };
  }

  async #confirm(policy: PolicyName, status: ProcurementRecord["status"]): Promise<Example | null> {
    const found = newestOrder(this.#world, status);
    if (!found) return null;
    const { record: order, integration_id } = found;
    const body = { identity: { id: order.id } };
    return { ...ofOrder(order), answers: await this.#called(policy, confirmProcurement, integration_id, body) };
  }

  /** A part whose order waits for its supplier. */
  #part(): Example | null {
    const { db, stores } = this.#world;
    const row = db.get<{ id: string; procurement_id: string }>(
      `SELECT c.job_part_id AS id, p.id AS procurement_id
       FROM (SELECT id, updated_at FROM procurements WHERE status = 'order_requested' ORDER BY updated_at DESC LIMIT ${MOST_RECORDS}) p
       JOIN procurement_parts c ON c.procurement_id = p.id
       WHERE NOT EXISTS (SELECT 1 FROM procurement_parts o JOIN procurements q ON q.id = o.procurement_id
                         WHERE o.job_part_id = c.job_part_id AND q.status = 'order_confirmed')
       ORDER BY p.updated_at DESC LIMIT 1`,
    );
    const order = row && stores.procurements.get(row.procurement_id);
    const part = order && stores.parts.ofJob(order.job_id).find(({ id }) => id === row.id);
    if (!order || !part) return null;
    const covering = stores.parts.coveringStatuses(part.id);
    const answers = policyChoices.part_ordered_on.map((choice) => ({
      choice,
      part: part.description,
      part_status: partStatus(covering, choice),
    }));
    return { ...ofOrder(order), answers };
  }

  /** A delivery whose last attempt failed. */
  #delivery(): Example | null {
    const row = this.#world.db.get<Omit<Example, "answers"> & { attempts: number }>(
      `SELECT e.label, e.job_id, e.procurement_id, d.attempts_made AS attempts
       FROM (SELECT seq, event_seq, status, attempts_made FROM deliveries ORDER BY seq DESC LIMIT ${MOST_RECORDS}) d
       JOIN events e ON e.seq = d.event_seq
       WHERE d.status <> 'delivered' AND d.attempts_made > 0 ORDER BY d.seq DESC LIMIT 1`,
    );
    if (!row) return null;
    const { attempts, ...about } = row;
    const answers = policyChoices.webhook_retries.map((choice) => ({
      choice,
      attempts,
      wait_ms: nextWaitMs(choice, attempts, 0.5),
    }));
    return { ...about, answers };
  }

  async all(): Promise<PolicyExample[]> {
    const found: Readonly<Record<PolicyName, Example | null>> = {
      jobs_insert_conflict: await this.#insert("jobs_insert_conflict", ({ id, external_id }) =>
        external_id === null ? { id } : { external: external_id },
      ),
      jobs_insert_unknown_id: await this.#insert("jobs_insert_unknown_id", () => ({ id: newId() })),
      part_ordered_on: this.#part(),
      confirm_when_confirmed: await this.#confirm("confirm_when_confirmed", "order_confirmed"),
      confirm_when_cancelled: await this.#confirm("confirm_when_cancelled", "cancelled"),
      webhook_retries: this.#delivery(),
    } satisfies { [N in keyof Policies]: Example | null };
    return Object.entries(found).flatMap(([policy, example]) =>
      example ? [{ policy: policy as PolicyName, ...example }] : [],
    );
  }
}

/** What the switches of a world decide, shown by what is in it. Changes nothing. */
export const policyExampleControls: readonly BoundControl[] = [
  control(policiesExamples, async (context) => ({ items: await new Examples(context).all() })),
];
