import { randomInt } from "node:crypto";
import { jobsList } from "../contract/control/operations.ts";
import {
  basketsLatestGet,
  businessesList,
  jobsGet,
  jobsInsert,
  partsInsert,
  procurementsPlace,
  repairerProcurementsGet,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { supplier } from "../testing/harness.ts";
import { type CalledService, type Ledger, UnknownOutcomeError, ViolatedGuaranteeError } from "./ledger.ts";

const SNAPSHOT_ONE_IN = 30;
/** Number of the latest records to check after each vehicle. */
const CHECKED_RECORDS = 2;

/**
 * Simulates repairs in a world, one vehicle after the other: inserts, reads and changes jobs, orders parts, confirms
 * orders.
 */
export class Writer {
  readonly ledger: Ledger;
  #count = 0;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /**
   * Continues with the next vehicle when a call's outcome is unknown.
   * @param isOver called before each vehicle, with whether the last one had an unknown outcome
   * @throws ViolatedGuaranteeError for an unexpected response
   */
  async run(service: CalledService, longestPauseMs: number, isOver: (isLost: boolean) => boolean): Promise<void> {
    for (let isLost = false; !isOver(isLost); ) {
      await new Promise((resolve) => setTimeout(resolve, randomInt(longestPauseMs + 1)));
      isLost = await this.#repair(service).then(
        () => false,
        (error: unknown) => {
          if (error instanceof UnknownOutcomeError) return true;
          throw error;
        },
      );
    }
  }

  async #repair(service: CalledService): Promise<void> {
    const { ledger } = this;
    this.#count += 1;
    const identity = { external: `repair:${this.#count}` };
    const sites = (await ledger.ask(service, businessesList, {})).items.filter(({ type }) => type === "repairer_site");
    const job = { identity, repairer_site_id: sites[0]?.id ?? "", claim_number: "first" };
    const { id } = await ledger.ask(service, jobsInsert, job);
    const keep = (...claims: string[]): void =>
      ledger.keep(id, { operation: jobsGet, request: { identity }, fields: { id: [id], claim_number: claims } });
    keep("first");
    ledger.acknowledge({ event_type: "repairer.jobs", payload: { job_id: id, change_action: "inserted" } });
    if (randomInt(2) === 0) {
      keep("first", "second");
      await ledger.ask(service, jobsInsert, { ...job, claim_number: "second", if_: { exists: "update" } });
      keep("second");
      ledger.acknowledge({ event_type: "repairer.jobs", payload: { job_id: id, change_action: "updated" } });
    }
    if (randomInt(3) === 0) await this.#order(service, id);
    const { items } = await ledger.ask(service, jobsList, { world: ledger.world, search: id });
    if (items[0]?.id !== id) throw new ViolatedGuaranteeError(`The list of jobs of ${ledger.world} is without ${id}.`);
    if (randomInt(SNAPSHOT_ONE_IN) === 0) await ledger.saveSnapshot(service, `after-${this.#count}`);
    await ledger.check(service, CHECKED_RECORDS);
  }

  async #order(service: CalledService, job_id: string): Promise<void> {
    const { ledger } = this;
    const job_identity = { id: job_id };
    const parts = [{ description: "Bonnet" }, { description: "Front bumper cover" }];
    await ledger.ask(service, partsInsert, { job_identity, parts });
    // Orders from the supplier whose key can confirm.
    const [business] = (await ledger.ask(service, businessesList, {}, supplier)).items;
    const { offers } = await ledger.ask(service, basketsLatestGet, { job_identity });
    const offered = offers.filter(({ supplier_business_id }) => supplier_business_id === business?.id);
    const sellable_ids = offered.map(({ sellable_id }) => sellable_id);
    const [order] = (await ledger.ask(service, procurementsPlace, { job_identity, sellable_ids })).items;
    if (!order) throw new ViolatedGuaranteeError(`An order for job ${job_id} was answered with no procurement.`);
    const { id } = order;
    type Status = "order_requested" | "order_confirmed";
    const keep = (...statuses: Status[]): void => {
      const fields = { id: [id], job_id: [job_id], status: statuses };
      ledger.keep(id, { operation: repairerProcurementsGet, request: { identity: { id } }, fields });
    };
    const acknowledge = (status: Status): void => {
      const payload = { procurement_id: id, job_id, status };
      ledger.acknowledge({ event_type: "repairer.procurements", payload });
      ledger.acknowledge({ event_type: "supplier.procurements", payload });
    };
    keep("order_requested");
    acknowledge("order_requested");
    keep("order_requested", "order_confirmed");
    await ledger.ask(service, supplierProcurementsConfirm, { identity: { id } }, supplier);
    keep("order_confirmed");
    acknowledge("order_confirmed");
  }
}
