import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../bench/statistics.ts";
import { businessesList } from "../../contract/operations/partner.ts";
import { fakedTime } from "../../testing/debian.ts";
import { FlakyReceiver } from "../flaky-receiver.ts";
import { Ledger, UnknownOutcomeError, ViolatedGuaranteeError } from "../ledger.ts";
import { Writer } from "../writer.ts";
import { type BalancedService, retryUnknownOutcome } from "./balanced-service.ts";
import { type Failure, failures } from "./failures.ts";
import { BALANCER } from "./machines.ts";
import { type Node, Stage, type StagePlan } from "./stage.ts";

/** Interval between two vehicles of a world, in milliseconds, so that two weak CPUs are not the bottleneck. */
const PAUSE_MS = 60_000;
/** Time between two failures, in milliseconds, for worlds to return to their nodes. */
const REST_MS = 8_000;
/** Number of worlds that are called continuously during a failure. */
const WATCHED = 6;
const ASK_EVERY_MS = 200;
const MAX_WAIT_MS = 180_000;
const AT_ONCE = 16;

interface ClusterPlan extends StagePlan {
  readonly worlds: number;
  /** Name of the only failure to test; null: all in turn. */
  readonly only: string | null;
  readonly over: () => boolean;
  readonly say: (line: string) => void;
}

/** A failure's effect on callers. */
interface FailureResult {
  readonly failure: string;
  /** Longest time without a response from an affected world. */
  readonly silentMs: number;
  readonly refused: number;
  readonly unanswered: number;
}

const shuffled = <T>(items: readonly T[]): T[] => {
  const left = [...items];
  return items.map(() => left.splice(randomInt(left.length), 1)[0] as T);
};

const each = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items];
  const working = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, working));
};

/** Calls worlds continuously. */
class Watch {
  readonly #ledgers: readonly Ledger[];
  readonly #answeredAt: number[];
  readonly #running: Promise<unknown>;
  readonly #stop = new AbortController();
  silentMs = 0;

  constructor(service: BalancedService, ledgers: readonly Ledger[]) {
    this.#ledgers = ledgers;
    this.#answeredAt = ledgers.map(() => performance.now());
    this.#running = Promise.all(ledgers.map((ledger, index) => this.#ask(service, ledger, index)));
    this.#running.catch(() => undefined);
  }

  async #ask(service: BalancedService, ledger: Ledger, index: number): Promise<void> {
    for (let last = performance.now(); !this.#stop.signal.aborted; await sleep(ASK_EVERY_MS)) {
      const startedAt = performance.now();
      try {
        await ledger.ask(service, businessesList, {});
      } catch (error) {
        if (error instanceof UnknownOutcomeError) continue;
        throw error;
      }
      this.silentMs = Math.max(this.silentMs, performance.now() - last);
      last = performance.now();
      this.#answeredAt[index] = startedAt;
    }
  }

  /** Resolves when each world has responded to a call that starts from now on. @throws ViolatedGuaranteeError */
  async awaitResponses(): Promise<void> {
    const from = performance.now();
    const silent = (): number => this.#answeredAt.findIndex((at) => at < from);
    while (silent() >= 0) {
      if (performance.now() - from > MAX_WAIT_MS)
        throw new ViolatedGuaranteeError(`${this.#ledgers[silent()]?.world} has not been answered for three minutes.`);
      await Promise.race([sleep(20), this.#running]);
    }
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

/**
 * Writes to many worlds of three nodes through one failure after the other. Checks after each, and at the end, that no
 * acknowledged change is lost.
 */
export class ClusterSoak {
  readonly seen: FailureResult[] = [];
  readonly #plan: ClusterPlan;
  readonly #stage: Stage;
  readonly #ledgers: readonly Ledger[];
  readonly #failed = Promise.withResolvers<never>();
  readonly #receiver = new FlakyReceiver(this.#failed.reject);

  constructor(plan: ClusterPlan) {
    this.#plan = plan;
    this.#stage = new Stage(plan);
    this.#ledgers = Array.from({ length: plan.worlds }, (_, number) => new Ledger(`soak-${number}`));
    this.#failed.promise.catch(() => undefined);
  }

  get counts() {
    const sum = (count: (ledger: Ledger) => number): number =>
      this.#ledgers.reduce((total, ledger) => total + count(ledger), 0);
    const [acknowledged, responses] = [sum(({ events }) => events.size), sum(({ exchanges }) => exchanges.length)];
    return { failures: this.seen.length, acknowledged, responses, notifications: this.#receiver.received };
  }

  /** @throws ViolatedGuaranteeError for the first violation */
  run(): Promise<void> {
    return Promise.race([this.#run(), this.#failed.promise]);
  }

  async end(): Promise<void> {
    this.#receiver.stop();
    await this.#stage.end();
  }

  async #run(): Promise<void> {
    const { over, say } = this.#plan;
    const service = await this.#stage.start();
    await this.#receiver.start(BALANCER.front);
    say("started");
    await each(this.#ledgers, (ledger) => retryUnknownOutcome(() => this.#receiver.subscribe(service, ledger.world)));
    let stopped = false;
    const writing = Promise.all(
      this.#ledgers.map((ledger) => new Writer(ledger).run(service, PAUSE_MS, () => stopped)),
    );
    writing.catch(this.#failed.reject);
    const { only, isApart, other } = this.#plan;
    const hasClocks = fakedTime() !== null;
    const isPossible = ({ apart, versions, clocks }: Failure): boolean =>
      (isApart || !apart) && (other !== null || !versions) && (hasClocks || !clocks);
    if (!hasClocks) say("no clock is set: faketime is not installed");
    const possible = failures.filter((failure) => isPossible(failure) && (only === null || failure.name === only));
    if (possible.length === 0) throw new ViolatedGuaranteeError(`"${only}" can't happen here.`);
    await sleep(REST_MS);
    while (!over())
      for (const failure of shuffled(possible)) {
        if (over()) break;
        await this.#try(service, failure);
        await sleep(REST_MS);
      }
    stopped = true;
    say("the last vehicles, then a check of all of them");
    await writing;
    await each(this.#ledgers, (ledger) => this.#check(service, ledger));
  }

  async #try(service: BalancedService, failure: Failure): Promise<void> {
    const { node, ledgers } = await this.#pick();
    const [refused, unanswered] = [service.refused, service.unanswered.length];
    const watch = new Watch(service, ledgers);
    await failure.act({ stage: this.#stage, node, ledgers, service, awaitResponses: () => watch.awaitResponses() });
    await watch.awaitResponses();
    await watch.end();
    const { silentMs } = watch;
    const seen = { refused: service.refused - refused, unanswered: service.unanswered.length - unanswered, silentMs };
    this.seen.push({ failure: failure.name, ...seen });
    const [seconds, { acknowledged }] = [(silentMs / 1_000).toFixed(1), this.counts];
    const others = `${seen.refused} × 503, ${seen.unanswered} without an answer`;
    const { madeAgain } = this.#stage.databases;
    const rebuiltText = madeAgain === 0 ? "" : `; ${madeAgain} × a database server was made again`;
    this.#plan.say(`${failure.name}: ${seconds} s, ${others}; ${acknowledged} changes acknowledged${rebuiltText}`);
  }

  /** Picks a node with enough worlds. */
  async #pick(): Promise<{ node: Node; ledgers: readonly Ledger[] }> {
    for (;;) {
      for (const node of shuffled(this.#stage.nodes)) {
        const own = this.#ledgers.filter(({ position }) => position?.node === node.id);
        if (own.length >= WATCHED) return { node, ledgers: shuffled(own).slice(0, WATCHED) };
      }
      await sleep(ASK_EVERY_MS);
    }
  }

  /** Checks everything in a world at the end. @throws ViolatedGuaranteeError */
  async #check(service: BalancedService, ledger: Ledger): Promise<void> {
    await retryUnknownOutcome(() => ledger.check(service, Number.POSITIVE_INFINITY));
    ledger.holdRecords(await service.recorded(ledger.world));
    const until = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const left = ledger.undelivered(this.#receiver.deliveredTo(ledger.world));
      if (left === 0) return;
      if (Date.now() > until) throw new ViolatedGuaranteeError(`${left} events of ${ledger.world} were not delivered.`);
      await sleep(ASK_EVERY_MS);
    }
  }

  /** Summarizes the effects on callers by kind of failure. */
  report(): string {
    const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
    const lines = failures.flatMap(({ name }) => {
      const own = this.seen.filter(({ failure }) => failure === name);
      if (own.length === 0) return [];
      const silent = own.map(({ silentMs }) => silentMs);
      const sum = (count: (one: FailureResult) => number): string =>
        String(own.reduce((total, one) => total + count(one), 0));
      const figures = [seconds(median(silent)), seconds(Math.max(...silent))];
      return [[name, String(own.length), ...figures, sum((one) => one.refused), sum((one) => one.unanswered)]];
    });
    const head = ["failure", "times", "no answer for, median", "worst", "503s", "calls without an answer"];
    const rule = head.map(() => "---");
    const table = [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    const { acknowledged, responses, notifications } = this.counts;
    return `${table}\n\n${acknowledged} changes acknowledged, ${responses} calls answered, ${notifications} notifications.`;
  }
}
