import type { RejectReason } from "../contract/events.ts";
import { isUuid } from "../contract/schema.ts";
import { verifyNotification } from "../rules/webhook-signature.ts";

/** How many message ids the sink remembers; older ones are forgotten first. */
const REMEMBERED = 100_000;

export type SinkAnswer =
  | { readonly status: 200; readonly body: { readonly ok: true; readonly deduped: boolean } }
  | { readonly status: 400 | 401; readonly body: { readonly ok: false; readonly reason: RejectReason } };

/** 32 bytes in base64. */
const HMAC_BASE64 = /^[A-Za-z0-9+/]{43}=$/;

const field = (body: Uint8Array, name: string): string | null => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const value: unknown = parsed !== null && typeof parsed === "object" ? Reflect.get(parsed, name) : null;
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
};

/** Contract, "Reference sink": verifies, deduplicates by `message_id`, acknowledges; refusals as D78 decides. */
export class Sink {
  readonly #seen = new Set<string>();
  readonly #secretOf: (integrationId: string) => string | null;

  /** @param secretOf finds an integration's secret in any world */
  constructor(secretOf: (integrationId: string) => string | null) {
    this.#secretOf = secretOf;
  }

  receive(body: Uint8Array, header: string | null, now: number): SinkAnswer {
    const integrationId = field(body, "integration_id");
    // Looking a secret up may open every world: not for a caller that did not even try to sign.
    const signed = header !== null && HMAC_BASE64.test(header);
    const secret =
      signed && integrationId !== null && isUuid(integrationId) ? this.#secretOf(integrationId.toLowerCase()) : null;
    const { reason } = verifyNotification({ body, header, secret, now });
    if (reason) {
      const status = reason === "missing_signature" || reason === "bad_signature" ? 401 : 400;
      return { status, body: { ok: false, reason } };
    }
    return { status: 200, body: { ok: true, deduped: this.#deduped(field(body, "message_id")) } };
  }

  #deduped(messageId: string | null): boolean {
    if (messageId === null) return false;
    if (this.#seen.has(messageId)) return true;
    this.#seen.add(messageId);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }
}
