import type { Operation, RequestOf, ResponseOf } from "../contract/operation.ts";
import {
  basketsLatestGet,
  jobsInsert,
  partsInsert,
  procurementsPlace,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { type Answer, repairer, supplier, type TestCredential, type TestService } from "../testing/harness.ts";
import { eventKey } from "./checks.ts";
import { Fault, type Ledger } from "./ledger.ts";

/** What the writers of a run share. */
export interface Desk {
  readonly ledger: Ledger;
  readonly roll: (sides: number) => number;
  /** Waits for the service that runs, or the next one; null when the run is over. */
  readonly service: () => Promise<TestService | null>;
  readonly site: string;
  /** Whose offers are ordered: the supplier that can confirm. */
  readonly supplierBusiness: string;
  /** The longest pause between two jobs, in milliseconds. */
  readonly pauseMs: number;
}

/** The connection ended before the answer: whether it was done is not known. */
class Lost extends Error {}

/** Repairs one vehicle after the other: inserts jobs, changes them, orders parts and has them confirmed. */
export class Writer {
  readonly #desk: Desk;
  readonly #name: string;
  #count = 0;

  constructor(desk: Desk, name: string) {
    this.#desk = desk;
    this.#name = name;
  }

  /** Until the run is over. @throws Fault when an answer is not what it must be */
  async run(): Promise<void> {
    for (let service = await this.#desk.service(); service; service = await this.#desk.service()) {
      try {
        await this.#repair(service);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        this.#desk.ledger.unanswered += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, this.#desk.roll(this.#desk.pauseMs + 1)));
    }
  }

  async #repair(service: TestService): Promise<void> {
    const { ledger, roll, site } = this.#desk;
    this.#count += 1;
    const external = `${this.#name}:${this.#count}`;
    const job = { identity: { external }, repairer_site_id: site, claim_number: `first ${external}` };
    const asked = ledger.tick();
    const { id } = await this.#ask(service, jobsInsert, job, repairer);
    ledger.job(id, external, [job.claim_number]);
    ledger.acknowledge(asked, [
      eventKey({ event_type: "repairer.jobs", payload: { job_id: id, change_action: "inserted" } }),
    ]);
    if (roll(2) === 0) await this.#change(service, id, job);
    if (roll(3) === 0) await this.#order(service, id, external);
  }

  async #change(service: TestService, id: string, job: RequestOf<typeof jobsInsert> & { claim_number: string }) {
    const { ledger } = this.#desk;
    const external = "external" in job.identity ? job.identity.external : "";
    const claim_number = `second ${external}`;
    ledger.job(id, external, [job.claim_number, claim_number]);
    const asked = ledger.tick();
    await this.#ask(service, jobsInsert, { ...job, claim_number, if_: { exists: "update" } }, repairer);
    ledger.job(id, external, [claim_number]);
    ledger.acknowledge(asked, [
      eventKey({ event_type: "repairer.jobs", payload: { job_id: id, change_action: "updated" } }),
    ]);
  }

  async #order(service: TestService, job_id: string, external: string): Promise<void> {
    const { ledger, supplierBusiness } = this.#desk;
    const job_identity = { external };
    const parts = [{ description: "Bonnet" }, { description: "Front bumper cover" }];
    await this.#ask(service, partsInsert, { job_identity, parts }, repairer);
    const { offers } = await this.#ask(service, basketsLatestGet, { job_identity }, repairer);
    const sellable_ids = offers
      .filter(({ supplier_business_id }) => supplier_business_id === supplierBusiness)
      .map(({ sellable_id }) => sellable_id);
    let asked = ledger.tick();
    const { items } = await this.#ask(service, procurementsPlace, { job_identity, sellable_ids }, repairer);
    const [order] = items;
    if (!order) throw new Fault(`An order for job ${job_id} was answered with no procurement.`);
    const { id } = order;
    const eventsOf = (status: "order_requested" | "order_confirmed") =>
      (["repairer.procurements", "supplier.procurements"] as const).map((event_type) =>
        eventKey({ event_type, payload: { procurement_id: id, job_id, status } }),
      );
    ledger.order(id, job_id, ["order_requested"]);
    ledger.acknowledge(asked, eventsOf("order_requested"));
    ledger.order(id, job_id, ["order_requested", "order_confirmed"]);
    asked = ledger.tick();
    await this.#ask(service, supplierProcurementsConfirm, { identity: { id } }, supplier);
    ledger.order(id, job_id, ["order_confirmed"]);
    ledger.acknowledge(asked, eventsOf("order_confirmed"));
  }

  /** @throws Lost when the service was killed meanwhile; Fault when it answered anything but 200 */
  async #ask<O extends Operation>(
    service: TestService,
    operation: O,
    body: RequestOf<O>,
    credential: TestCredential,
  ): Promise<ResponseOf<O>> {
    const answer: Answer<ResponseOf<O>> = await service.call(operation, body, credential).catch(() => {
      throw new Lost();
    });
    if (answer.status !== 200) throw new Fault(`${operation.id} was answered with ${answer.status}: ${answer.text}`);
    return answer.body;
  }
}
