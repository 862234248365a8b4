import fs from "node:fs";
import path from "node:path";
import { readPeopleFile } from "../command/people-file.ts";
import type { GivenCredentials } from "../config.ts";
import type { CurrentToken } from "../contract/control/service-operations.ts";
import type { PersonRule } from "../secrets/people.ts";
import { startTestService, type TestService, temporaryFolder } from "./harness.ts";

export const PUBLIC_URL = "https://sandbox.example.com";
export const DEPLOY_FOLDER = path.join(import.meta.dirname, "..", "..", "docs", "deploy");
export const SIGN_IN = "/__sandbox/tokens.sign-in";

const credential = (letter: string, id: string) => ({
  api_key: `sbx_${letter.repeat(32)}`,
  integration_id: id,
  webhook_secret: `pwh_${letter.repeat(43)}`,
});
/** Of a deployed service, in which the documented ones are none. */
export const ownCredentials: GivenCredentials = {
  credentials: {
    repairer: credential("a", "11111111-1111-4111-8111-111111111111"),
    supplier: credential("b", "22222222-2222-4222-8222-222222222222"),
  },
  clients: {
    demo: { client_id: "app", client_secret: "a-secret-of-our-own", redirect_uris: [] },
    no_oauth: { client_id: "other", client_secret: "another-secret-of-ours", redirect_uris: [] },
  },
};

const documented = (): string => {
  const page = fs.readFileSync(path.join(DEPLOY_FOLDER, "..", "deploy.md"), "utf8");
  return /<!-- file: people\.json -->\n```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
};
const readDocumented = (): readonly PersonRule[] => {
  const folder = temporaryFolder();
  const file = path.join(folder, "people.json");
  fs.writeFileSync(file, documented());
  const rules = readPeopleFile(file);
  fs.rmSync(folder, { recursive: true });
  return rules;
};
/** The documented ones: anna and a group are operators, acme manages its world, support reads another. */
export const people = readDocumented();

/** A deployed service at which people sign in. @param proxy the address whose word is taken */
export const startWithPeople = (proxy: string, cluster?: string): Promise<TestService> =>
  startTestService(undefined, {
    ...{ mode: "deployed", publicUrl: PUBLIC_URL, credentials: ownCredentials },
    ...{ people, trustedProxies: [proxy] },
    ...(cluster === undefined ? {} : { cluster }),
  });

export type SignedIn = CurrentToken & { readonly token: string };

/** Posts to this machine: the public address of a deployed service is another. */
export const post = async <T = Record<string, never>>(port: number, address: string, body: object, headers: object) => {
  const response = await fetch(`http://127.0.0.1:${port}${address}`, {
    ...{ method: "POST", body: JSON.stringify(body), redirect: "manual" },
    headers: { "content-type": "application/json", ...headers },
  });
  const text = await response.text();
  return { status: response.status, text, body: (text.startsWith("{") ? JSON.parse(text) : null) as T };
};

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** What a proxy says of who has signed in. */
export const as = (email: string, groups = "") => ({ "X-Forwarded-Email": email, "x-forwarded-groups": groups });
