/** The address of a developer machine: a top-level domain that never resolves (RFC 6761). */
const ADDRESS = /^https:\/\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\.listen\.invalid\/$/;

/** Returns whether a name is valid for a developer machine: one lowercase label of a host name. */
export const isListenerName = (name: string): boolean => ADDRESS.test(listenerAddress(name));

/** The address of the subscriptions for `sandbox listen`. */
export const listenerAddress = (name: string): string => `https://${name}.listen.invalid/`;

/** Returns the name of the developer machine that an address forwards to; null for any other address. */
export const listenerName = (address: string): string | null => ADDRESS.exec(address)?.[1] ?? null;

/** Messages of the stream to a developer machine. */
export interface ListenMessages {
  /** The first message, on connection. */
  readonly ready: { readonly world: string; readonly subscriptions: number; readonly waiting: number };
  /** One attempt, to pass on byte for byte and to answer within ten seconds. */
  readonly notification: {
    /** Identifies this sending in the response. */
    readonly id: string;
    /** The attempt's number; 0 for a drill. */
    readonly number: number;
    readonly event_type: string;
    readonly integration_id: string;
    readonly label: string;
    readonly created_at: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body_base64: string;
  };
  /** The last message, with the reason. */
  readonly end: { readonly reason: string };
}
