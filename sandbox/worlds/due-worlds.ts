import type { ServiceDatabase } from "../storage/service-database.ts";

/** As many worlds are opened at a time as leave the calls of others their turn. */
const AT_ONCE = 16;
const NEXT_ROUND_MS = 50;
/** A world that was just closed is left closed for so long. */
const REST_MS = 1_000;
const LONGEST_SLEEP_MS = 3_600_000;
/** When a world is tried again that could not be opened, and writing down what could not be written. */
const AGAIN_AFTER_MS = 30_000;

/** The closed worlds in which something waits to be delivered: opens each when it is due. */
export class DueWorlds {
  readonly #service: ServiceDatabase;
  readonly #open: (name: string) => void;
  readonly #troubled: (error: unknown) => void;
  readonly #due: Map<string, number>;
  /** Worlds of which the file says something else than is known here: the disk took nothing. */
  readonly #unsaved = new Set<string>();
  #saving: NodeJS.Timeout | null = null;
  #timer: NodeJS.Timeout | null = null;
  #next = Number.POSITIVE_INFINITY;
  #started = false;

  /**
   * @param open opens a world for its deliveries; that is no call to it
   * @param troubled told when the disk takes nothing or a world does not open: both are tried again
   */
  constructor(service: ServiceDatabase, open: (name: string) => void, troubled: (error: unknown) => void) {
    this.#service = service;
    this.#open = open;
    this.#troubled = troubled;
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
    this.#due.set(name, due);
    this.#save(name);
    if (due < this.#next) this.#sleep();
  }

  /** A world is open, or gone: its own clock runs. */
  opened(name: string): void {
    if (this.#due.delete(name)) this.#save(name);
  }

  /** Writes down when a world is due, so that a restart knows; whoever closes or opens it need not care whether it can be. */
  #save(name: string): void {
    const due = this.#due.get(name);
    try {
      if (due === undefined) this.#service.clearDue(name);
      else this.#service.setDue(name, due);
      this.#unsaved.delete(name);
    } catch (error) {
      this.#unsaved.add(name);
      this.#saving ??= setTimeout(() => this.#saveAgain(), AGAIN_AFTER_MS).unref();
      this.#troubled(error);
    }
  }

  #saveAgain(): void {
    this.#saving = null;
    // The first that fails says that the others would.
    for (const name of [...this.#unsaved]) if (!this.#saving) this.#save(name);
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
      try {
        this.#open(name);
      } catch (error) {
        this.#due.set(name, now + AGAIN_AFTER_MS);
        this.#save(name);
        this.#troubled(error);
      }
    }
    this.#sleep(due.length > AT_ONCE ? NEXT_ROUND_MS : 0);
  }

  stop(): void {
    this.#started = false;
    for (const timer of [this.#timer, this.#saving]) if (timer) clearTimeout(timer);
  }
}
