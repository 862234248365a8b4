/** What a process of the bench can be asked. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;

/** A call on its way to the process. */
export interface Asked {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

/** What comes back. */
export type Answered =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };
