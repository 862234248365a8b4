import { Turns } from "./turns.ts";

/** How many lanes send at once, over all worlds, whose receivers answer. */
export const MOST_AT_ONCE = 64;
/** How many beside them of which nobody knows yet, or which hang. */
export const MOST_UNKNOWN = 64;
/** How many of those may hang. */
export const MOST_HUNG = 32;

/**
 * What is known of a lane's receiver: it answered when it was last asked, in whatever way; it was not asked yet, or did
 * not fare well before; it let the last try hang until its time was up.
 */
export type Manner = "answers" | "unknown" | "hangs";

interface Hold<G> {
  readonly group: G;
  readonly manner: Manner;
}

/**
 * Hands out the slots of all lanes, within each manner to the worlds in turn. Receivers that hang, or may, hold none of
 * those that are for receivers that answer: however many they are, they hold up but one another.
 *
 * @typeParam T who sends
 * @typeParam G what shares turns: its world
 */
export class Slots<T, G> {
  readonly #holding = new Map<T, Hold<G>>();
  readonly #held: Record<Manner, number> = { answers: 0, unknown: 0, hangs: 0 };
  readonly #waiting: Record<Manner, Turns<T, G>> = { answers: new Turns(), unknown: new Turns(), hangs: new Turns() };
  #hungFirst = false;

  /** How many hold a slot or wait for one. */
  get size(): number {
    const { answers, unknown, hangs } = this.#waiting;
    return this.#holding.size + answers.size + unknown.size + hangs.size;
  }

  #isFree(manner: Manner): boolean {
    const { answers, unknown, hangs } = this.#held;
    if (manner === "answers") return answers < MOST_AT_ONCE;
    return unknown + hangs < MOST_UNKNOWN && (manner === "unknown" || hangs < MOST_HUNG);
  }

  /** Whether somebody waits for a slot of those among which this one's is, because there is none left. */
  isContested(one: T): boolean {
    const hold = this.#holding.get(one);
    if (!hold) return false;
    const { answers, unknown, hangs } = this.#waiting;
    if (hold.manner === "answers") return answers.size > 0 && !this.#isFree("answers");
    // One that hangs cannot take the place of another sort while as many hang as may.
    const mayHang = hangs.size > 0 && (hold.manner === "hangs" || this.#held.hangs < MOST_HUNG);
    return (unknown.size > 0 || mayHang) && this.#held.unknown + this.#held.hangs >= MOST_UNKNOWN;
  }

  holds(one: T): boolean {
    return this.#holding.has(one);
  }

  /** Whether it holds a slot or waits for one. */
  has(one: T): boolean {
    return this.#holding.has(one) || Object.values(this.#waiting).some((turns) => turns.has(one));
  }

  queue(one: T, group: G, manner: Manner): void {
    if (!this.has(one)) this.#waiting[manner].add(one, group);
  }

  /** The next in turn, which holds a slot from now on; undefined while there is none for anybody who waits. */
  take(): T | undefined {
    this.#hungFirst = !this.#hungFirst;
    const order: readonly Manner[] = this.#hungFirst
      ? ["hangs", "unknown", "answers"]
      : ["unknown", "hangs", "answers"];
    for (const manner of order) {
      if (!this.#isFree(manner)) continue;
      const next = this.#waiting[manner].next();
      if (!next) continue;
      this.#holding.set(next.one, { group: next.group, manner });
      this.#held[manner] += 1;
      return next.one;
    }
    return undefined;
  }

  /** Gives up its slot, or its place among those who wait. */
  remove(one: T): void {
    const hold = this.#holding.get(one);
    if (hold) this.#held[hold.manner] -= 1;
    this.#holding.delete(one);
    for (const turns of Object.values(this.#waiting)) turns.delete(one);
  }
}
