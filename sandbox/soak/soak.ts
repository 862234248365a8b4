import { setTimeout as sleep } from "node:timers/promises";
import { subscriptionsList } from "../contract/control/operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { businessesList } from "../contract/operations/partner.ts";
import { repairer, supplier, type TestService } from "../testing/harness.ts";
import type { CommandProcess } from "../testing/process.ts";
import { fixedCredentials } from "../worlds/seed/fixed.ts";
import { deliveredFault, repeatsOf, stateFault } from "./checks.ts";
import { FlakyReceiver, type Subscriber } from "./flaky-receiver.ts";
import { integrityFault } from "./integrity.ts";
import { Fault, hold, type Kept, Ledger } from "./ledger.ts";
import { RunningService } from "./running-service.ts";
import { Writer } from "./writer.ts";

/** Without anything acknowledged or received for so long, the service hangs. */
const STANDSTILL_MS = 60_000;
const LOOK_MS = 10;
/** How many of the latest things are looked for right after each restart. */
const LATEST = 100;
const READERS = 16;
/** One start of so many is killed on its way, within so many milliseconds. */
const EARLY_ONE_IN = 4;
const EARLY_MS = 500;

const buyer = { ...fixedCredentials.repairer, hears: ["repairer.jobs", "repairer.procurements"] };
const seller = { ...fixedCredentials.supplier, hears: ["supplier.procurements"] };
const subscriberOf = (name: string, { integration_id, webhook_secret, hears }: typeof buyer | typeof seller) => ({
  name,
  integration_id,
  secret: webhook_secret,
  hears,
});
const subscribers: readonly Subscriber[] = [
  subscriberOf("buyer", buyer),
  subscriberOf("second-buyer", buyer),
  subscriberOf("seller", seller),
];

export interface SoakPlan {
  readonly data: string;
  /** Starts the service's command with arguments. */
  readonly start: (...args: string[]) => CommandProcess;
  readonly roll: (sides: number) => number;
  readonly writers: number;
  /** The longest pause of a writer between two jobs, in milliseconds. */
  readonly pauseMs: number;
  /** One of so many notifications is never answered. */
  readonly hangOneIn: number;
  /** How many changes are acknowledged between two kills. */
  readonly life: { readonly least: number; readonly most: number };
  /** Asked before each kill: whether there have been enough. */
  readonly over: (kills: number) => boolean;
  readonly say: (line: string) => void;
}

export interface SoakCounts {
  readonly acknowledged: number;
  /** Changes whose answer was lost to a kill. */
  readonly unanswered: number;
  readonly kills: number;
  readonly notifications: number;
  readonly repeats: number;
  readonly longestRestartMs: number;
}

/**
 * Writers, a flaky receiver and a service that is killed again and again; then a quiet end, at which everything that was
 * acknowledged must be there and delivered.
 */
export class Soak {
  readonly #plan: SoakPlan;
  readonly #ledger = new Ledger();
  readonly #failed = Promise.withResolvers<never>();
  readonly #service: RunningService;
  #receiver: FlakyReceiver | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(plan: SoakPlan) {
    this.#plan = plan;
    this.#service = new RunningService(plan.data, plan.start, (fault) => this.#failed.reject(fault));
  }

  /** @throws Fault with the first thing that does not hold */
  async run(): Promise<SoakCounts> {
    try {
      return await Promise.race([this.#run(), this.#failed.promise]);
    } finally {
      await this.end();
    }
  }

  /** Ends the service and the receiver, whatever they do. */
  async end(): Promise<void> {
    this.#service.close();
    this.#service.end();
    await this.#receiver?.stop();
  }

  async #run(): Promise<SoakCounts> {
    const { roll } = this.#plan;
    const onFault = (fault: Fault): void => this.#failed.reject(fault);
    const receiver = await FlakyReceiver.start({ ...this.#plan, subscribers, onFault });
    this.#receiver = receiver;
    let service = await this.#service.start();
    await this.#prepare(service, receiver);
    for (;;) {
      this.#service.open(service);
      await this.#live();
      if (this.#plan.over(this.#service.kills)) break;
      await this.#service.kill();
      if (roll(EARLY_ONE_IN) === 0) await this.#service.startAndKill(roll(EARLY_MS));
      service = await this.#service.start();
      await this.#look(service, this.#ledger.latest(LATEST));
      this.#plan.say(this.#progress(receiver));
    }
    this.#service.close();
    await this.#writing;
    this.#plan.say("Quiet end: waiting for what has not been delivered …");
    receiver.calm();
    await this.#untilDelivered(service, receiver);
    this.#plan.say("Looking for everything that was acknowledged …");
    await this.#look(service, this.#ledger.kept());
    await this.#service.stop();
    const { acknowledged, unanswered } = this.#ledger;
    for (const delivered of receiver.delivered) hold(deliveredFault(delivered, acknowledged, unanswered));
    hold(integrityFault(this.#plan.data));
    return this.#counts(receiver);
  }

  /** Subscribes, and lets the writers wait at the door. */
  async #prepare(service: TestService, receiver: FlakyReceiver): Promise<void> {
    const { roll, writers, pauseMs } = this.#plan;
    await service.control(policiesSet, { policies: { webhook_retries: "fast" } });
    for (const subscriber of subscribers) {
      const { integration_id } = subscriber;
      const { status } = await service.post("/__webhooks/subscribe", {
        integration_id,
        url: receiver.urlOf(subscriber),
      });
      if (status !== 200) throw new Fault(`Subscribing was answered with ${status}.`);
    }
    const site = (await service.ok(businessesList, {}, repairer)).items.find(({ type }) => type === "repairer_site");
    const [business] = (await service.ok(businessesList, {}, supplier)).items;
    const desk = {
      ledger: this.#ledger,
      roll,
      pauseMs,
      service: () => this.#service.opened,
      site: site?.id ?? "",
      supplierBusiness: business?.id ?? "",
    };
    const running = Array.from({ length: writers }, (_, index) => new Writer(desk, `writer-${index}`).run());
    this.#writing = Promise.all(running);
    this.#writing.catch((error) => this.#failed.reject(error));
  }

  /** Until so much was acknowledged as this life of the service is to have. */
  async #live(): Promise<void> {
    const { least, most } = this.#plan.life;
    const enough = this.#ledger.acknowledged.length + least + this.#plan.roll(most - least + 1);
    await this.#until(
      "acknowledged",
      () => this.#ledger.acknowledged.length,
      async () => {
        return this.#ledger.acknowledged.length >= enough;
      },
    );
    await sleep(this.#plan.roll(50));
  }

  /** @throws Fault when the count stands still for too long before it is done */
  async #until(what: string, count: () => number, done: () => Promise<boolean>, everyMs = LOOK_MS): Promise<void> {
    let last = { count: count(), at: performance.now() };
    while (!(await done())) {
      if (count() !== last.count) last = { count: count(), at: performance.now() };
      else if (performance.now() - last.at > STANDSTILL_MS)
        throw new Fault(`Nothing was ${what} for ${STANDSTILL_MS / 1_000} seconds.`);
      await sleep(everyMs);
    }
  }

  /** Until nothing waits to be delivered. */
  async #untilDelivered(service: TestService, receiver: FlakyReceiver): Promise<void> {
    const isDelivered = async (): Promise<boolean> =>
      (await service.control(subscriptionsList, {})).items.every(({ pending }) => pending === 0);
    await this.#until("received, although something waits,", () => receiver.received, isDelivered, LOOK_MS * 10);
  }

  /** Whether things are as they were acknowledged. @throws Fault */
  async #look(service: TestService, kept: readonly Kept[]): Promise<void> {
    const left = kept.values();
    const read = async (): Promise<void> => {
      for (const { operation, request, credential, expected } of left)
        hold(stateFault(expected, await service.call(operation, request, credential)));
    };
    await Promise.all(Array.from({ length: READERS }, read));
  }

  #counts(receiver: FlakyReceiver): SoakCounts {
    const { kills, longestRestartMs } = this.#service;
    return {
      acknowledged: this.#ledger.acknowledged.length,
      unanswered: this.#ledger.unanswered,
      kills,
      notifications: receiver.received,
      repeats: receiver.delivered.reduce((sum, delivered) => sum + repeatsOf(delivered), 0),
      longestRestartMs: Math.round(longestRestartMs),
    };
  }

  #progress(receiver: FlakyReceiver): string {
    const { kills } = this.#service;
    return `${kills} kills, ${this.#ledger.acknowledged.length} acknowledged, ${receiver.received} notifications`;
  }
}

/** The counts as a sentence. */
export const countsText = (counts: SoakCounts): string =>
  `${counts.acknowledged} changes acknowledged and all there, ${counts.unanswered} answers lost, ${counts.kills} kills, ` +
  `${counts.notifications} notifications, ${counts.repeats} of them repeats, longest restart ${counts.longestRestartMs} ms`;
