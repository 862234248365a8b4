/** How many lanes send at once, over all worlds. */
export const MOST_AT_ONCE = 64;
/** How many of those may be lanes whose receiver hung when it was last asked. */
export const MOST_HUNG = 32;

/** Hands out the slots of all lanes in turn; those that hang can take but half of them. */
export class Slots<T> {
  readonly #holding = new Map<T, "hung" | "well">();
  readonly #well = new Set<T>();
  readonly #hung = new Set<T>();
  #hungAtOnce = 0;
  #turn = false;

  /** How many hold a slot or wait for one. */
  get size(): number {
    return this.#holding.size + this.#well.size + this.#hung.size;
  }

  /** Whether somebody waits for a slot because there is none left. */
  get contested(): boolean {
    if (this.#holding.size < MOST_AT_ONCE) return false;
    return this.#well.size > 0 || (this.#hung.size > 0 && this.#hungAtOnce < MOST_HUNG);
  }

  holds(one: T): boolean {
    return this.#holding.has(one);
  }

  /** Whether it holds a slot or waits for one. */
  has(one: T): boolean {
    return this.#holding.has(one) || this.#well.has(one) || this.#hung.has(one);
  }

  /** @param hung whether its receiver hung when it was last asked */
  queue(one: T, hung: boolean): void {
    if (!this.has(one)) (hung ? this.#hung : this.#well).add(one);
  }

  /** The next in turn, which holds a slot from now on; undefined while there is none for anybody who waits. */
  take(): T | undefined {
    if (this.#holding.size >= MOST_AT_ONCE) return undefined;
    const [well] = this.#well;
    const [hung] = this.#hungAtOnce < MOST_HUNG ? this.#hung : [];
    this.#turn = !this.#turn;
    const one = this.#turn ? (hung ?? well) : (well ?? hung);
    if (one === undefined) return undefined;
    if (this.#hung.delete(one)) {
      this.#hungAtOnce += 1;
      this.#holding.set(one, "hung");
    } else {
      this.#well.delete(one);
      this.#holding.set(one, "well");
    }
    return one;
  }

  /** Gives up its slot, or its place among those who wait. */
  remove(one: T): void {
    if (this.#holding.get(one) === "hung") this.#hungAtOnce -= 1;
    this.#holding.delete(one);
    this.#well.delete(one);
    this.#hung.delete(one);
  }
}
