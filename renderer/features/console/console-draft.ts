/** What is wrong with the credential of a call, on purpose. */
export const breakages = ["bare", "wrong-scheme", "unknown-pair", "wrong-scope"] as const;
export type Breakage = (typeof breakages)[number];

/** Whom a call is made as: a credential of the world, nobody, or a credential that is broken in one way. */
export type ActsAs =
  | { readonly kind: "credential"; readonly integration_id: string }
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly how: Breakage };

/** A call as the Console holds it before it is sent. */
export interface ConsoleCall {
  readonly operation: string;
  /** The text of the JSON body, sent as it stands, also where it is no JSON. */
  readonly body: string;
  readonly actAs: ActsAs;
  /** Another world than the window's, by its name. */
  readonly tenant?: string;
  /** Beside those that the Console sends itself. */
  readonly headers: readonly (readonly [string, string])[];
}
