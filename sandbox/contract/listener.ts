/** Where what is sent to a laptop seems to go: a top-level name that leads nowhere (RFC 6761). */
const ADDRESS = /^https:\/\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\.listen\.invalid\/$/;

/** Whether a laptop can be called so: a label of a host name, in lowercase. */
export const isListenerName = (name: string): boolean => ADDRESS.test(listenerAddress(name));

/** The address that notifications for `sandbox listen` are subscribed under. */
export const listenerAddress = (name: string): string => `https://${name}.listen.invalid/`;

/** Whose laptop an address is forwarded to; null: it is an address of the web. */
export const listenerName = (address: string): string | null => ADDRESS.exec(address)?.[1] ?? null;

/** What a laptop is sent over its stream. */
export interface ListenMessages {
  /** Once, when it is connected. */
  readonly ready: { readonly world: string; readonly subscriptions: number; readonly waiting: number };
  /** One attempt, to be passed on byte for byte and answered within ten seconds. */
  readonly notification: {
    /** Of this one sending: its answer names it. */
    readonly id: string;
    /** The attempt; 0: a drill. */
    readonly number: number;
    readonly event_type: string;
    readonly integration_id: string;
    readonly label: string;
    readonly created_at: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body_base64: string;
  };
  /** The last: why the stream ends. */
  readonly end: { readonly reason: string };
}
