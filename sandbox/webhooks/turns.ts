/**
 * Who waits, in groups: the groups have their turns one after the other, and in each of them who came first.
 *
 * @typeParam T who waits
 * @typeParam G what is taken in turn
 */
export class Turns<T, G> {
  readonly #groups = new Map<G, Set<T>>();
  readonly #groupOf = new Map<T, G>();

  get size(): number {
    return this.#groupOf.size;
  }

  has(one: T): boolean {
    return this.#groupOf.has(one);
  }

  add(one: T, group: G): void {
    if (this.has(one)) return;
    this.#groupOf.set(one, group);
    const others = this.#groups.get(group);
    if (others) others.add(one);
    else this.#groups.set(group, new Set([one]));
  }

  delete(one: T): void {
    const group = this.#groupOf.get(one);
    if (group === undefined) return;
    this.#groupOf.delete(one);
    const others = this.#groups.get(group);
    others?.delete(one);
    if (others?.size === 0) this.#groups.delete(group);
  }

  /** Takes whose turn it is; the group comes last from now on. Undefined when nobody waits. */
  next(): { readonly one: T; readonly group: G } | undefined {
    const [first] = this.#groups;
    if (!first) return undefined;
    const [group, waiting] = first;
    const [one] = waiting;
    if (one === undefined) return undefined;
    this.delete(one);
    if (waiting.size > 0) {
      this.#groups.delete(group);
      this.#groups.set(group, waiting);
    }
    return { one, group };
  }
}
