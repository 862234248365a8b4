import { randomUUID } from "node:crypto";
import type { ReadyLine } from "../../sandbox/contract/ready-line.ts";

/** The ready line of a sandbox that prints its credentials. */
export type LocalReadyLine = ReadyLine & Required<Pick<ReadyLine, "credentials" | "clients">>;

/** Which of the two pre-loaded credentials a call is made with: the buyer's or the supplier's. */
export type Side = "repairer" | "supplier";

/** A private copy of the sandbox's data. Worlds don't see each other, so each test can have its own. */
export interface World {
  readonly name: string;
  /** The explorer, open in this world. */
  readonly explorer_url: string;
  /** The headers of a JSON call by one side in this world. */
  headers(side: Side): Record<string, string>;
  /**
   * Calls an operation of the control plane in this world, for example `clock.advance` with `{ seconds: 60 }`.
   *
   * @throws Error with the service's sentence if the call is refused
   */
  control(operation: string, body?: object): Promise<unknown>;
  /** Deletes the world with all its data. */
  delete(): Promise<void>;
}

/** Makes a fresh world of a running sandbox: a new one, or the named one reset. */
export async function freshWorld(
  { base_url, control_token, credentials }: Pick<LocalReadyLine, "base_url" | "control_token" | "credentials">,
  name = `test-${randomUUID()}`,
): Promise<World> {
  const control = async (operation: string, body: object = {}): Promise<unknown> => {
    const response = await fetch(`${base_url}/__sandbox/${operation}`, {
      method: "POST",
      headers: { authorization: `Bearer ${control_token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...body, world: name }),
    });
    if (response.ok) return response.json();
    throw new Error(`${operation} was refused with ${response.status}: ${await response.text()}`);
  };
  await control("worlds.reset");
  return {
    name,
    explorer_url: `${base_url}/?world=${name}#token=${control_token}`,
    headers: (side) => ({
      authorization: `Bearer ${credentials[side].api_key}`,
      "service-integration-id": credentials[side].integration_id,
      "x-sandbox-tenant": name,
      "content-type": "application/json",
    }),
    control,
    delete: async () => void (await control("worlds.delete")),
  };
}
