import { pathOf } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer } from "./harness.ts";

/** How long a call is waited for. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 150;

interface Position {
  readonly epoch: number;
  readonly seq: number;
  readonly node: string;
}

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly position: Position | null;
}

const positionIn = (headers: Headers): Position | null => {
  const found = /^(\d+)\.(\d+) (\S+)$/.exec(headers.get("x-sandbox-position") ?? "");
  return found && { epoch: Number(found[1]), seq: Number(found[2]), node: found[3] ?? "" };
};

/** Inserts, changes and reads jobs in a world of several nodes, one call after the other, and notes what was answered. */
export class ClusterWriter {
  readonly world: string;
  /** By the job's id: the claim number it has; with one more where the answer to its change was lost. */
  readonly jobs = new Map<string, Set<string>>();
  /** The `x-request-id` of every answered call: each must be on record. */
  readonly exchanges: string[] = [];
  /** What does not hold, in words. */
  readonly faults: string[] = [];
  /** Calls that ended without an answer. */
  lost = 0;
  position: Position | null = null;
  readonly #url: string;
  readonly #epochs = new Map<number, number>();
  #count = 0;
  #site = "";
  #stopped = false;

  constructor(url: string, world: string) {
    this.#url = url;
    this.world = world;
  }

  stop(): void {
    this.#stopped = true;
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      await this.#round();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS + Math.random() * PAUSE_MS));
    }
  }

  /** Null: whether it was carried out is not known, or it was refused because its world moves. */
  async call(path: string, body: unknown, url = this.#url): Promise<Answered | null> {
    const headers = {
      "content-type": "application/json",
      ...credentialHeaders(repairer),
      "x-sandbox-tenant": this.world,
    };
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body), signal });
      const text = await response.text();
      // HAProxy's own: the node closed the connection without an answer.
      if (response.status === 502) this.lost += 1;
      if (response.status === 503 || response.status === 502) return null;
      this.exchanges.push(response.headers.get("x-request-id") ?? "none");
      return { status: response.status, body: Object(JSON.parse(text)), position: positionIn(response.headers) };
    } catch {
      this.lost += 1;
      return null;
    }
  }

  /** Answers that follow each other come from no earlier state. */
  #noted({ position }: Answered, changed: boolean): void {
    if (!position) return void this.faults.push(`${this.world}: an answer without a position`);
    const before = this.position;
    if (before && (position.epoch < before.epoch || position.seq < before.seq))
      this.faults.push(
        `${this.world} went back from ${before.epoch}.${before.seq} to ${position.epoch}.${position.seq}`,
      );
    this.position = position;
    if (!changed) return;
    const epoch = this.#epochs.get(position.seq) ?? position.epoch;
    if (epoch !== position.epoch)
      this.faults.push(`${this.world} acknowledged ${position.seq} in ${epoch} and ${position.epoch}`);
    this.#epochs.set(position.seq, position.epoch);
  }

  async #round(): Promise<void> {
    if (this.#site === "" && !(await this.#findSite())) return;
    this.#count += 1;
    const external = `n:${this.#count}`;
    const job = { identity: { external }, repairer_site_id: this.#site };
    const inserted = await this.call(pathOf(jobsInsert), { ...job, claim_number: "0" });
    if (!inserted) return;
    if (inserted.status !== 200)
      return void this.faults.push(`${this.world}: inserting was answered ${inserted.status}`);
    this.#noted(inserted, true);
    const id = String(inserted.body.id);
    const claims = new Set(["0"]);
    this.jobs.set(id, claims);
    const changed = { ...job, claim_number: "1", if_: { exists: "update" } };
    claims.add("1");
    const updated = await this.call(pathOf(jobsInsert), changed);
    if (updated?.status === 200) {
      this.#noted(updated, true);
      claims.delete("0");
    } else if (updated) this.faults.push(`${this.world}: changing was answered ${updated.status}`);
    const ids = [...this.jobs.keys()];
    await this.read(ids[Math.floor(Math.random() * ids.length)] ?? id);
    await this.read(id);
  }

  async #findSite(): Promise<boolean> {
    const answered = await this.call(pathOf(businessesList), {});
    const items = (answered?.body.items ?? []) as readonly { readonly id: string; readonly type: string }[];
    this.#site = items.find(({ type }) => type === "repairer_site")?.id ?? "";
    return this.#site !== "";
  }

  /** @returns whether it was answered */
  async read(id: string): Promise<boolean> {
    const answered = await this.call(pathOf(jobsGet), { identity: { id } });
    if (!answered) return false;
    this.#noted(answered, false);
    const claims = this.jobs.get(id);
    const claim = String(answered.body.claim_number);
    if (answered.status !== 200 || !claims?.has(claim)) {
      const found = `${answered.status} with ${claim}, at ${answered.position?.epoch}.${answered.position?.seq}`;
      this.faults.push(`${this.world}: job ${id} was acknowledged with ${[...(claims ?? [])]} and read as ${found}`);
    }
    // What was read once stays.
    if (claims?.has(claim)) for (const other of claims) if (other < claim) claims.delete(other);
    return true;
  }
}
