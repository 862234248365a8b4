/** One turn of an interleaved measurement. */
export interface Turn<Name extends string> {
  readonly name: Name;
  /** The first round warms everything up and is not counted. */
  readonly counts: boolean;
}

/** Every variant in turn, again and again, so that whatever the machine does meanwhile happens to all of them alike. */
export const interleaved = <Name extends string>(names: readonly Name[], repetitions: number): Turn<Name>[] =>
  Array.from({ length: repetitions + 1 }, (_, round) => names.map((name) => ({ name, counts: round > 0 }))).flat();

/** Measures every variant in the interleaved order. @returns the counted values of each, in the order of time */
export const measureInterleaved = async <Name extends string>(
  variants: Readonly<Record<Name, () => Promise<number>>>,
  repetitions: number,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(variants) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const { name, counts } of interleaved(names, repetitions)) {
    const value = await variants[name]();
    if (counts) values[name].push(value);
  }
  return values;
};
