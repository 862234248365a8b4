import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Credential } from "../../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { sideWord } from "../../../components/side.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { callControl } from "../../../lib/service-client.ts";
import { fieldOf } from "../message/notification.ts";
import { deliveriesOfMessage } from "../receipts/delivery-of.ts";
import { explainSignature, type KnownSecret, type SentBody } from "./explain-signature.ts";

/** How many deliveries of a message are compared with. */
const MOST_DELIVERIES = 5;

/** The bytes this world sent for the message a body names. */
export const sentQuery = (world: string, body: Uint8Array) => {
  const [integrationId, messageId] = [fieldOf(body, "integration_id"), fieldOf(body, "message_id")];
  return queryOptions({
    queryKey: [...worldKeys(world).all, "sent", integrationId, messageId] as const,
    queryFn: async ({ signal }): Promise<SentBody[]> => {
      const rows = await deliveriesOfMessage(world, integrationId, messageId, signal);
      const deliveries = await Promise.all(
        rows.slice(0, MOST_DELIVERIES).map(({ id }) => callControl("deliveries.get", { id, world }, { signal })),
      );
      return deliveries.flatMap(({ attempts, event_type, label }) =>
        attempts.map(({ number, request_body_base64 }) => ({
          name: `try ${number} of ${event_type} ${label}`,
          bytes: bytesFromBase64(request_body_base64),
        })),
      );
    },
  });
};

/** Every secret this world holds, and its API keys: they are mistaken for each other. */
export const knownSecrets = (credentials: readonly Credential[]): KnownSecret[] =>
  credentials.flatMap(({ webhook_secret, api_key, organization_name, scope }) => {
    const whose = `${sideWord(scope)}: ${organization_name}`;
    return [
      ...(webhook_secret === undefined ? [] : [{ name: `the secret of ${whose}`, secret: webhook_secret }]),
      ...(api_key === undefined ? [] : [{ name: `the API key of ${whose}`, secret: api_key }]),
    ];
  });

interface Asked {
  /** What tells one body from another; the bytes themselves are no key. */
  readonly bodyKey: string;
  readonly body: Uint8Array;
  readonly value: string;
  readonly secret: string;
  readonly others: readonly KnownSecret[];
  readonly sent: readonly SentBody[];
}

/** What a signature turned out to be. Computed in the page, and forgotten as soon as nobody looks. */
export const explainQuery = ({ bodyKey, ...question }: Asked) =>
  queryOptions({
    queryKey: ["lab", bodyKey, question.value, question.secret, question.others.length, question.sent.length] as const,
    queryFn: () => explainSignature(question),
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
