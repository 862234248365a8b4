import type { Attempt, Credential } from "../../../../sandbox/contract/control/rows.ts";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { knownSecrets } from "./analysis.ts";
import { explainSignature } from "./explain-signature.ts";
import { receiverFindings } from "./findings.ts";

/**
 * What the lab recognises in the signature a receiver says it computed, in sentences with what to do; null where nothing
 * that is known makes it.
 *
 * @param value the signature in the receiver's answer
 */
export const recognise = async (
  { request_body_base64 }: Pick<Attempt, "request_body_base64">,
  value: string,
  secret: string,
  credentials: readonly Credential[],
  signal?: AbortSignal,
): Promise<string | null> => {
  const body = bytesFromBase64(request_body_base64);
  const question = { body, value, secret, others: knownSecrets(credentials), sent: [] };
  const explained = await explainSignature(question, signal);
  if (explained.match === null) return null;
  const found = receiverFindings(explained, null).map(({ sentence, mend }) => `${sentence} ${mend}`);
  return ["Its answer holds the signature it computed.", ...found].join(" ");
};
