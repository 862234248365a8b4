type Row = Readonly<Record<string, unknown>>;

/** The part of a database that stores who may use which world. */
export class AccessTable {
  readonly rows = new Map<string, string>();
  /** How often the rows were sent. */
  sent = 0;
  isAway = false;
  #version = 0;

  readonly #failure: () => Error;

  /** @param failure what a statement ends with while it is away */
  constructor(failure: () => Error) {
    this.#failure = failure;
  }

  readonly run = async (text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    if (this.isAway) throw this.#failure();
    const version = String(this.#version);
    if (text.startsWith("WITH")) return this.#change(values as [string, string[], string[], string[]]);
    if (!text.includes("sandbox_access"))
      return [values[0]].flat().includes("access_version") ? [{ key: "access_version", value: version }] : [];
    this.sent += 1;
    const rows = [...this.rows].map(([key, content]) => ({ version, key, content }));
    return rows.length > 0 ? rows : [{ version, key: null, content: null }];
  };

  #change([known, deleted, updated, contents]: readonly [string, string[], string[], string[]]): Row[] {
    if (known !== String(this.#version)) return [];
    for (const key of deleted) this.rows.delete(key);
    for (const [at, key] of updated.entries()) this.rows.set(key, contents[at] ?? "");
    this.#version += 1;
    return [{ value: String(this.#version) }];
  }
}
