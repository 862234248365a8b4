import type { ServiceDatabase } from "../storage/service-database.ts";

/** As many worlds are opened at a time as leave the calls of others their turn. */
const AT_ONCE = 16;
const NEXT_ROUND_MS = 50;
/** A world that was just closed is left closed for so long. */
const REST_MS = 1_000;
const LONGEST_SLEEP_MS = 3_600_000;

/** The closed worlds in which something waits to be delivered: opens each when it is due. */
export class DueWorlds {
  readonly #service: ServiceDatabase;
  readonly #open: (name: string) => void;
  readonly #due: Map<string, number>;
  #timer: NodeJS.Timeout | null = null;
  #next = Number.POSITIVE_INFINITY;
  #started = false;

  /** @param open opens a world for its deliveries; that is no call to it */
  constructor(service: ServiceDatabase, open: (name: string) => void) {
    this.#service = service;
    this.#open = open;
    this.#due = new Map(service.due().map(({ name, at }) => [name, at]));
  }

  /** @param crashed worlds of which nobody could write down what waits in them */
  start(crashed: readonly string[]): void {
    this.#started = true;
    for (const name of crashed) this.#due.set(name, 0);
    this.#sleep();
  }

  /** A world closes, with its next delivery due at this time or without any that waits. */
  closed(name: string, at: number | null): void {
    if (at === null) {
      this.opened(name);
      return;
    }
    const due = Math.max(at, Date.now() + REST_MS);
    this.#service.setDue(name, due);
    this.#due.set(name, due);
    if (due < this.#next) this.#sleep();
  }

  /** A world is open, or gone: its own clock runs. */
  opened(name: string): void {
    if (this.#due.delete(name)) this.#service.clearDue(name);
  }

  #sleep(soonest = 0): void {
    if (!this.#started) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#next = Number.POSITIVE_INFINITY;
    for (const at of this.#due.values()) if (at < this.#next) this.#next = at;
    if (this.#next === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(this.#next - Date.now(), soonest), LONGEST_SLEEP_MS);
    this.#timer = setTimeout(() => this.#wake(), wait).unref();
  }

  #wake(): void {
    this.#timer = null;
    const now = Date.now();
    const due = [...this.#due].filter(([, at]) => at <= now).sort((one, other) => one[1] - other[1]);
    for (const [name] of due.slice(0, AT_ONCE)) {
      this.opened(name);
      this.#open(name);
    }
    this.#sleep(due.length > AT_ONCE ? NEXT_ROUND_MS : 0);
  }

  stop(): void {
    this.#started = false;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
