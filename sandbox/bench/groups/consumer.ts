import type { ConsumerCalls } from "../actors/consumer.ts";
import { actorFile, type Bench } from "../bench.ts";
import { Actor } from "../processes/actor.ts";
import type { Service } from "../processes/service.ts";

export interface Consumer {
  readonly port: number;
  readonly calls: Actor<ConsumerCalls>;
}

/** Starts a partner's receiver as a process of its own. */
export const startConsumer = async (bench: Bench): Promise<Consumer> => {
  const calls = new Actor<ConsumerCalls>(bench.children, actorFile("consumer"));
  return { port: await calls.call("listen", null), calls };
};

/** Subscribes an address of the receiver for the repairer's integration, in a world of its own. */
export const subscribe = async (service: Service, consumer: Consumer, world: string, path: string): Promise<void> => {
  const response = await fetch(`${service.ready.base_url}/__webhooks/subscribe`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-sandbox-tenant": world },
    body: JSON.stringify({
      integration_id: service.ready.credentials?.repairer.integration_id,
      url: `http://127.0.0.1:${consumer.port}${path}`,
    }),
  });
  if (!response.ok) throw new Error(`The subscription was answered ${response.status}: ${await response.text()}`);
};
