import { create } from "zustand";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import type { RawResponse } from "../../lib/service-client.ts";
import type { ServiceUnreachable } from "../../lib/service-failure.ts";

/** A call from this window and its result. */
export interface Sent {
  readonly call: ConsoleCall;
  readonly at: string;
  readonly response: RawResponse | null;
  /** The reason for a missing response. */
  readonly failure: ServiceUnreachable | null;
}

interface SentState {
  /** The last call of each operation, by world and operation. */
  readonly last: Readonly<Record<string, Sent>>;
  readonly put: (world: string, sent: Sent) => void;
}

const sentKey = (world: string, operation: string) => `${world} ${operation}`;

/** The window's last calls. Not stored, because responses are recorded. */
export const useSent = create<SentState>()((set) => ({
  last: {},
  put: (world, sent) => set(({ last }) => ({ last: { ...last, [sentKey(world, sent.call.operation)]: sent } })),
}));

export const useLastSent = (world: string, operation: string): Sent | null =>
  useSent(({ last }) => last[sentKey(world, operation)] ?? null);
