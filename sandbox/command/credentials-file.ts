import Type from "typebox";
import type { GivenCredentials } from "../config.ts";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { Uuid } from "../contract/schema.ts";
import { describeViolation } from "../operations/validation.ts";
import { readOptionFile, unusableFile } from "./environment.ts";

const Secret = (prefix: string) => Type.String({ pattern: `^${prefix}[A-Za-z0-9_-]{24,128}$` });
const Credential = Type.Object({ api_key: Secret("sbx_"), integration_id: Uuid(), webhook_secret: Secret("pwh_") });
const Client = Type.Object({
  client_id: Type.String({ pattern: "^\\S{1,256}$" }),
  client_secret: Type.String({ pattern: "^.{16,256}$" }),
  redirect_uris: Type.Optional(Type.Array(Type.String({ pattern: "^https://[^/?#\\s]+" }))),
});
const CredentialsFile = Type.Object({
  credentials: Type.Object({ repairer: Credential, supplier: Credential }),
  clients: Type.Object({ demo: Client, no_oauth: Client }),
});

type CredentialsFile = Type.Static<typeof CredentialsFile>;

/** Returns a value that must be unique but occurs twice, or null. */
const sharedValue = ({ credentials, clients }: CredentialsFile): string | null => {
  const { repairer, supplier } = credentials;
  const { demo, no_oauth } = clients;
  if (repairer.integration_id.toLowerCase() === supplier.integration_id.toLowerCase())
    return "both credentials have the same integration_id";
  if (repairer.api_key === supplier.api_key) return "both credentials have the same api_key";
  if (demo.client_id === no_oauth.client_id) return "both clients have the same client_id";
  return null;
};

const documented: readonly string[] = [
  ...Object.values(fixedCredentials).flatMap(({ api_key, webhook_secret }) => [api_key, webhook_secret]),
  ...Object.values(fixedClients).map(({ client_secret }) => client_secret),
];

/** Reads `--credentials`. Refuses the documented demo values, because they open every sandbox. @throws StartError */
export const readCredentialsFile = (file: string): GivenCredentials => {
  const bad = unusableFile("credentials", file);
  const read = readOptionFile(file, bad);
  const problem = describeViolation(CredentialsFile, read);
  if (problem !== null) throw bad(problem);
  const given = read as CredentialsFile;
  const text = JSON.stringify(given);
  if (documented.some((secret) => text.includes(secret)))
    throw bad("it contains a documented demo value; choose your own values");
  const shared = sharedValue(given);
  if (shared !== null) throw bad(shared);
  // Identifiers are compared in lowercase.
  const credential = (given: Type.Static<typeof Credential>) => ({
    ...given,
    integration_id: given.integration_id.toLowerCase(),
  });
  const client = ({ redirect_uris = [], ...rest }: Type.Static<typeof Client>) => ({ ...rest, redirect_uris });
  const { repairer, supplier } = given.credentials;
  const { demo, no_oauth } = given.clients;
  return {
    credentials: { repairer: credential(repairer), supplier: credential(supplier) },
    clients: { demo: client(demo), no_oauth: client(no_oauth) },
  };
};
