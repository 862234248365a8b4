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
/** Credentials of a deployed service, which refuses the documented ones. */
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
/** The documented rules: anna and a group are operators, acme manages its world, support reads another. */
export const people = readDocumented();

/** Starts a deployed service with sign-in. @param proxy the trusted proxy's address */
export const startWithPeople = (proxy: string, cluster?: string): Promise<TestService> =>
  startTestService(undefined, {
    ...{ mode: "deployed", publicUrl: PUBLIC_URL, credentials: ownCredentials },
    ...{ people, trustedProxies: [proxy] },
    ...(cluster === undefined ? {} : { cluster }),
  });

export type SignedIn = CurrentToken & { readonly token: string };

/** Posts to this machine, because a deployed service's public address is another. */
export const post = async <T = Record<string, never>>(port: number, address: string, body: object, headers: object) => {
  const response = await fetch(`http://127.0.0.1:${port}${address}`, {
    ...{ method: "POST", body: JSON.stringify(body), redirect: "manual" },
    headers: { "content-type": "application/json", ...headers },
  });
  const text = await response.text();
  return { status: response.status, text, body: (text.startsWith("{") ? JSON.parse(text) : null) as T };
};

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** A proxy's headers for a signed-in person. */
export const as = (email: string, groups = "") => ({ "X-Forwarded-Email": email, "x-forwarded-groups": groups });
