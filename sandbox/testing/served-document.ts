import type { TestService } from "./harness.ts";

/** A part of the document for tests to navigate. */
export interface Part {
  readonly [key: string]: unknown;
}

export const isPart = (value: unknown): value is Part =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const asPart = (value: unknown): Part => (isPart(value) ? value : {});

/** An operation of the served document with its path and method. */
export interface ServedOperation {
  readonly path: string;
  readonly method: string;
  readonly item: Part;
}

/** The OpenAPI document of a running service. */
export class ServedDocument {
  readonly text: string;
  readonly root: Part;

  private constructor(text: string) {
    this.text = text;
    this.root = asPart(JSON.parse(text));
  }

  static async of(service: TestService, path = "/openapi.json"): Promise<ServedDocument> {
    const headers = { authorization: `Bearer ${service.ready.control_token}` };
    const { status, text } = await service.raw(path, { method: "GET", headers });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return new ServedDocument(text);
  }

  /** Returns the value at these keys, with references resolved. */
  at(...keys: readonly string[]): Part {
    return keys.reduce<Part>((part, key) => this.follow(part[key]), this.root);
  }

  /** Returns the part itself, or its reference's target. */
  follow(value: unknown): Part {
    const part = asPart(value);
    return typeof part.$ref === "string" ? this.at(...part.$ref.replace("#/", "").split("/")) : part;
  }

  get operations(): readonly ServedOperation[] {
    return Object.entries(this.at("paths")).flatMap(([path, item]) =>
      Object.entries(asPart(item)).map(([method, operation]) => ({ path, method, item: asPart(operation) })),
    );
  }

  /** @throws for an unknown operation */
  operation(operationId: string): ServedOperation {
    const found = this.operations.find(({ item }) => item.operationId === operationId);
    if (!found) throw new Error(`the document has no operation ${operationId}`);
    return found;
  }

  /** Returns an operation's response with this status, or null when undocumented. */
  answer({ item }: ServedOperation, status: number): Part | null {
    const given = asPart(item.responses)[String(status)];
    return given === undefined ? null : this.follow(given);
  }

  /** Returns the JSON content of a request or response: schema and examples. */
  json(holder: Part): Part {
    return asPart(asPart(holder.content)["application/json"]);
  }

  /** Returns the examples of a request or response by name; a single one is named `example`. */
  examples(holder: Part): Readonly<Record<string, unknown>> {
    const { example, examples } = this.json(holder);
    if (example !== undefined) return { example };
    return Object.fromEntries(Object.entries(asPart(examples)).map(([name, one]) => [name, asPart(one).value]));
  }

  requestBody({ item }: ServedOperation): Part {
    return asPart(item.requestBody);
  }
}
