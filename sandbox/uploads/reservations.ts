/** Why a picture may not be received now. */
export type NoRoom = "under_way" | "too_much";

/** The room that pictures take which are still being received, so that it is never given away twice (D86). */
export class Reservations {
  /** How large each may become, by its world and its address. */
  readonly #underWay = new Map<string, Map<string, number>>();

  /**
   * Reserves room before a byte is written. An address receives one picture at a time.
   *
   * @param free bytes that the world has left beside what is reserved
   * @returns gives the room back
   */
  reserve(world: string, id: string, bytes: number, free: number): NoRoom | (() => void) {
    const others = this.#underWay.get(world) ?? new Map<string, number>();
    if (others.has(id)) return "under_way";
    const reserved = [...others.values()].reduce((sum, one) => sum + one, 0);
    if (reserved + bytes > free) return "too_much";
    this.#underWay.set(world, others.set(id, bytes));
    return () => {
      others.delete(id);
      if (others.size === 0) this.#underWay.delete(world);
    };
  }
}
