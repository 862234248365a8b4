import { fixedCredentials } from "../contract/demo-values.ts";
import { type EventType, events } from "../contract/event-types.ts";
import { BASE_URL_PLACE, requestExamples } from "../contract/openapi/examples.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { signBody } from "../secrets/webhook-signature.ts";
import { repairer, supplier, type TestService } from "./harness.ts";
import { headersFor, sendExample } from "./provocations.ts";
import { RecordingReceiver } from "./recording-receiver.ts";

/** Time of the recording, during which the service's clock stands still. */
export const RECORDED_AT = Date.parse("2025-11-03T02:15:00.000Z");

const operations: readonly Operation[] = partnerOperations;

const UUID_OF_NOW = RECORDED_AT.toString(16).padStart(12, "0");

const KEY = "isk_613f7133aaf3433a885ce5d64ed9849a";

const SIGNATURE = "wq2n0X4l1mTt8aVhS7cK3eRjYpZbUoGfDiLxNsMv5B0";

/**
 * Replaces values that are new in every call by fixed ones: identifiers in order of occurrence, keys, signatures, the
 * address.
 */
export const withFixedValues = <T>(value: T, service: TestService): T => {
  const fresh = new Map<string, string>();
  const numbered = (id: string): string => {
    const number = String(fresh.get(id) ?? fresh.size + 1).padStart(12, "0");
    fresh.set(id, number);
    return `${UUID_OF_NOW.slice(0, 8)}-${UUID_OF_NOW.slice(8)}-4000-8000-${number}`;
  };
  const freshId = new RegExp(
    `${UUID_OF_NOW.slice(0, 8)}-?${UUID_OF_NOW.slice(8)}-?4[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}`,
    "g",
  );
  const text = JSON.stringify(value)
    .replaceAll(service.baseUrl, BASE_URL_PLACE)
    .replaceAll(freshId, (id) => (id.includes("-") ? numbered(id) : numbered(id).replaceAll("-", "")))
    .replaceAll(/isk_[0-9a-f]{32}/g, KEY)
    // The examples come from the default world.
    .replaceAll(/signature=[\w-]{43}&world=[\w.-]+/g, `signature=${SIGNATURE}`);
  return JSON.parse(text) as T;
};

const recordAnswers = async (service: TestService): Promise<Record<string, unknown>> => {
  const answers: Record<string, unknown> = {};
  for (const operation of operations) {
    const example = requestExamples[operation.id as keyof typeof requestExamples];
    const { status, text, body } = await sendExample(service, operation, example);
    if (status !== 200) throw new Error(`the example of ${operation.id} was answered ${status}: ${text}`);
    answers[operation.id] = withFixedValues(body, service);
  }
  return answers;
};

const messageIds: Record<EventType, string> = {
  "repairer.jobs": "704d79a3-f325-49b2-9c7d-36ca51b5b5f2",
  "repairer.procurements": "18ea4f4a-9cf7-45fc-a662-0eb3e4e193aa",
  "supplier.procurements": "78719395-c5c8-445a-b503-91c550b6f290",
};

const recordNotifications = async (service: TestService): Promise<Record<string, unknown>> => {
  const receiver = await RecordingReceiver.start();
  try {
    const headers = { "x-sandbox-tenant": "notifications" };
    for (const { integration_id } of [repairer, supplier])
      await service.post("/__webhooks/subscribe", { integration_id, url: receiver.url }, headers);
    for (const id of ["repairer.jobs.insert", "supplier.procurements.confirm"] as const) {
      const operation = operations.find((one) => one.id === id);
      if (operation)
        await service.post(operationPath(operation), requestExamples[id], { ...headersFor(operation), ...headers });
    }
    const received = await receiver.waitFor(3);
    const byType = received.map(({ envelope }): [EventType, unknown] => {
      const body = { ...withFixedValues(envelope, service), message_id: messageIds[envelope.event_type] };
      const { webhook_secret } = fixedCredentials[events[body.event_type].side];
      return [body.event_type, { signature: signBody(Buffer.from(JSON.stringify(body)), webhook_secret), body }];
    });
    return Object.fromEntries(byType.sort(([one], [other]) => one.localeCompare(other)));
  } finally {
    await receiver.stop();
  }
};

/** Records everything that `recorded.ts` reads, from a service whose clock stands still at {@link RECORDED_AT}. */
export const record = async (service: TestService): Promise<Record<string, unknown>> => ({
  answers: await recordAnswers(service),
  notifications: await recordNotifications(service),
});
