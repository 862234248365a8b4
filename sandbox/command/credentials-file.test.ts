import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { StartError } from "../host/start-error.ts";
import { readCredentialsFile } from "./credentials-file.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const credential = (digit: string) => ({
  api_key: `sbx_${digit.repeat(32)}`,
  integration_id: `${digit.repeat(8)}-1111-4111-8111-111111111111`,
  webhook_secret: `pwh_${digit.repeat(43)}`,
});
const good = {
  credentials: { repairer: credential("a"), supplier: credential("b") },
  clients: {
    demo: {
      client_id: "own",
      client_secret: "own-client-secret-1",
      redirect_uris: ["https://app.example.com/callback"],
    },
    no_oauth: { client_id: "own-other", client_secret: "own-client-secret-2", redirect_uris: [] },
  },
};
const write = (content: string): string => {
  const file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "credentials.json");
  fs.writeFileSync(file, content);
  return file;
};
const read = (value: unknown) => readCredentialsFile(write(JSON.stringify(value)));
const problemOf = (file: string): StartError => {
  try {
    readCredentialsFile(file);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("the operator's credentials file", () => {
  it("replaces the documented values; addresses are optional", () => {
    expect(read(good)).toEqual(good);
    const { redirect_uris: _left, ...demo } = good.clients.demo;
    expect(read({ ...good, clients: { ...good.clients, demo } }).clients.demo).toEqual({ ...demo, redirect_uris: [] });
  });

  it("is refused as a bad option, with a sentence that names file and field", () => {
    const bad: [unknown, RegExp][] = [
      [{ ...good, credentials: { repairer: credential("a") } }, /\/credentials\/supplier is required/],
      [
        { ...good, credentials: { ...good.credentials, repairer: { ...credential("a"), api_key: "short" } } },
        /\/credentials\/repairer\/api_key/,
      ],
      [
        { ...good, clients: { ...good.clients, demo: { ...good.clients.demo, client_secret: "short" } } },
        /\/clients\/demo\/client_secret/,
      ],
      [
        {
          ...good,
          clients: { ...good.clients, demo: { ...good.clients.demo, redirect_uris: ["http://app.example.com/"] } },
        },
        /redirect_uris\/0/,
      ],
      [[], /must be object/],
    ];
    for (const [value, problem] of bad) {
      const file = write(JSON.stringify(value));
      const error = problemOf(file);
      expect(error.code).toBe("bad_option");
      expect(error.message).toContain(file);
      expect(error.message).toMatch(problem);
    }
  });

  it("accepts identifiers in either case, and compares them in lower case", () => {
    const { repairer, supplier } = good.credentials;
    const shouted = { ...repairer, integration_id: repairer.integration_id.toUpperCase() };
    expect(read({ ...good, credentials: { repairer: shouted, supplier } })).toEqual(good);
  });

  it("is refused if identifying values are equal", () => {
    const { repairer, supplier } = good.credentials;
    const { demo, no_oauth } = good.clients;
    const same: [unknown, RegExp][] = [
      [
        { ...good, credentials: { repairer, supplier: { ...supplier, integration_id: repairer.integration_id } } },
        /the same integration_id/,
      ],
      [
        { ...good, credentials: { repairer, supplier: { ...supplier, api_key: repairer.api_key } } },
        /the same api_key/,
      ],
      [{ ...good, clients: { demo, no_oauth: { ...no_oauth, client_id: demo.client_id } } }, /the same client_id/],
    ];
    for (const [value, words] of same) expect(problemOf(write(JSON.stringify(value))).message).toMatch(words);
  });

  it("is refused if it contains a documented value", () => {
    for (const one of Object.values(fixedCredentials)) {
      for (const key of ["api_key", "webhook_secret"] as const) {
        const file = write(
          JSON.stringify({
            ...good,
            credentials: { ...good.credentials, supplier: { ...credential("b"), [key]: one[key] } },
          }),
        );
        expect(problemOf(file).message).toMatch(/documented demo value/);
      }
    }
    for (const { client_secret } of Object.values(fixedClients)) {
      const file = write(
        JSON.stringify({
          ...good,
          clients: { ...good.clients, no_oauth: { ...good.clients.no_oauth, client_secret } },
        }),
      );
      expect(problemOf(file).message).toMatch(/documented demo value/);
    }
  });

  it("is refused if unreadable or invalid, without quoting its secrets", () => {
    expect(problemOf(path.join(folder, "nowhere.json"))).toMatchObject({
      code: "bad_option",
      message: expect.stringContaining("nowhere.json"),
    });
    expect(problemOf(folder).code).toBe("bad_option");
    for (const text of [
      "",
      "{",
      credential("q").api_key,
      `{"api_key": ${credential("q").api_key}}`,
      `{"a":'${credential("q").api_key}'}`,
    ]) {
      expect(problemOf(write(text)).message, text).not.toContain("qqqq");
    }
  });
});
