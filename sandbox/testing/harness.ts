import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { defaultQuotas, type ServiceConfig } from "../config.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { type Operation, operationPath, type RequestOf, type ResponseOf } from "../contract/operation.ts";
import { type RunningService, startService } from "../service.ts";
import { ensureTemplate } from "../worlds/template.ts";

/** A credential for calls of tests. */
export interface TestCredential {
  readonly api_key: string;
  readonly integration_id: string;
}

export const repairer: TestCredential = fixedCredentials.repairer;
export const supplier: TestCredential = fixedCredentials.supplier;

/** A response as received. */
export interface ServiceResponse<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

export interface RawCall {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal | undefined;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const credentialHeaders = (credential: TestCredential): Record<string, string> => ({
  authorization: `Bearer ${credential.api_key}`,
  "service-integration-id": credential.integration_id,
});

/** A running service with its own data folder. Tests call it only over HTTP. */
export class TestService {
  readonly folder: string;
  readonly #service: RunningService;

  constructor(folder: string, service: RunningService) {
    this.folder = folder;
    this.#service = service;
  }

  get ready(): RunningService["ready"] {
    return this.#service.ready;
  }

  get baseUrl(): string {
    return this.#service.ready.base_url;
  }

  get port(): number {
    return Number(new URL(this.#service.address).port);
  }

  async raw<T = unknown>(
    address: string,
    { method = "POST", headers = {}, body, signal }: RawCall = {},
  ): Promise<ServiceResponse<T>> {
    // Sent as bytes, because fetch adds its own content type to strings.
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const response = await fetch(this.baseUrl + address, {
      method,
      headers,
      redirect: "manual",
      ...(bytes === undefined ? {} : { body: bytes }),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) as T };
  }

  post<T = unknown>(
    address: string,
    body: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<ServiceResponse<T>> {
    return this.raw<T>(address, {
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal,
    });
  }

  /** Calls a declared operation; any status is returned. */
  call<O extends Operation>(
    operation: O,
    body: RequestOf<O>,
    credential?: TestCredential,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<ServiceResponse<ResponseOf<O>>> {
    const sent = { ...(credential ? credentialHeaders(credential) : {}), ...headers };
    return this.post(operationPath(operation), body, sent, signal);
  }

  /** Calls a declared operation that must succeed. */
  async ok<O extends Operation>(
    operation: O,
    body: RequestOf<O>,
    credential?: TestCredential,
    headers: Record<string, string> = {},
  ): Promise<ResponseOf<O>> {
    const response = await this.call(operation, body, credential, headers);
    if (response.status !== 200) throw new Error(`${operation.id} answered ${response.status}: ${response.text}`);
    return response.body;
  }

  /** Calls a control operation that must succeed. Creates the world first, because reads don't (D85). */
  async control<O extends Operation>(operation: O, body: RequestOf<O>): Promise<ResponseOf<O>> {
    const token = { authorization: `Bearer ${this.ready.control_token}` };
    const first = await this.call(operation, body, undefined, token);
    if (first.status === 404 && first.text.includes('"no_such_world"')) {
      await this.make((body as { readonly world: string }).world);
      return this.ok(operation, body, undefined, token);
    }
    if (first.status !== 200) throw new Error(`${operation.id} answered ${first.status}: ${first.text}`);
    return first.body;
  }

  /** Creates a world by a write without effect. */
  async make(world: string): Promise<void> {
    const token = { authorization: `Bearer ${this.ready.control_token}` };
    await this.post("/__sandbox/faults.clear", { world }, token);
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }

  /** Stops the service and deletes its folder. */
  async end(): Promise<void> {
    await this.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

export const temporaryFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));

export const testConfig = (folder: string | null): ServiceConfig => ({
  host: "127.0.0.1",
  port: 0,
  whenPortTaken: "fail",
  dataFolder: folder,
  mode: "local",
  publicUrl: null,
  credentials: null,
  deliveries: true,
  mcp: true,
  idleResetMinutes: 60,
  quotas: defaultQuotas,
  explorerFolder: null,
  mediaFolder: path.join(import.meta.dirname, "..", "worlds", "seed", "media"),
  log: "silent",
});

let template: string | undefined;

/**
 * A data folder with the template of fresh worlds (D83), which a first start creates more slowly than most tests run.
 */
export const folderWithTemplate = (): string => {
  const folder = temporaryFolder();
  if (template === undefined) {
    const temporary = temporaryFolder();
    process.once("exit", () => fs.rmSync(temporary, { recursive: true, force: true }));
    template = ensureTemplate(temporary, null);
  }
  fs.copyFileSync(template, path.join(folder, path.basename(template)));
  return folder;
};

/** Starts a service like the hosts, with its own data folder. */
export const startTestService = async (
  folder = folderWithTemplate(),
  changes: Partial<ServiceConfig> = {},
): Promise<TestService> => new TestService(folder, await startService({ ...testConfig(folder), ...changes }));
