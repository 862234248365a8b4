import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isPart, type Part, type ServedDocument, type ServedOperation } from "./served-document.ts";

const ROOT = "served";

/**
 * Makes a schema self-contained for a validator, and closes its objects, so that undeclared properties are reported.
 */
const closeSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closeSchema);
  if (!isPart(value)) return value;
  if (typeof value.$ref === "string") return { $ref: ROOT + value.$ref };
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closeSchema(part)]));
  const open = copy.type === "object" && isPart(copy.properties) && !("additionalProperties" in copy);
  return open ? { ...copy, additionalProperties: false } : copy;
};

/** Returns every schema under a key of this name, at any depth; examples are data. */
const findSchemas = (value: unknown): Part[] => {
  if (Array.isArray(value)) return value.flatMap(findSchemas);
  if (!isPart(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (key === "example" || key === "examples") return [];
    return key === "schema" && isPart(part) ? [part] : findSchemas(part);
  });
};

/** Checks bodies against the served document, with a validator that the service doesn't use. */
export class AnswerCheck {
  readonly #document: ServedDocument;
  readonly #compiled = new Map<Part, ValidateFunction>();
  readonly #ajv = new Ajv2020({
    strict: true,
    strictTypes: true,
    strictTuples: true,
    allowUnionTypes: true,
    allErrors: true,
  });

  constructor(document: ServedDocument) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(["x-origin", "x-decisions", "x-test-values", "components"]);
    this.#ajv.addSchema({ components: { schemas: closeSchema(document.at("components", "schemas")) } }, ROOT);
  }

  /** Compiles every schema of the document. @returns their number. @throws for the first invalid one */
  compileAll(): number {
    const named = Object.values(this.#document.at("components", "schemas")).filter(isPart);
    const schemas = [...named, ...findSchemas(this.#document.root)];
    for (const schema of schemas) this.#compile(schema);
    return schemas.length;
  }

  /** Returns the differences between a response and the document. */
  problems(operation: ServedOperation, status: number, headers: Headers, body: unknown): readonly string[] {
    const declaredAnswer = this.#document.answer(operation, status);
    const name = `${String(operation.item.operationId)} ${status}`;
    if (!declaredAnswer) return [`${name}: the document knows no such answer`];
    const declared = Object.keys(isPart(declaredAnswer.headers) ? declaredAnswer.headers : {});
    const missing = declared.filter((header) => !headers.has(header)).map((header) => `${name}: no header ${header}`);
    return [...missing, ...this.#bodyProblems(name, declaredAnswer, body)];
  }

  /** Returns the differences between a request body and the document. */
  requestProblems(operation: ServedOperation, body: unknown): readonly string[] {
    return this.#bodyProblems(String(operation.item.operationId), this.#document.requestBody(operation), body);
  }

  /** Returns the errors in the examples of a request or response. */
  exampleProblems(name: string, holder: Part): readonly string[] {
    return Object.entries(this.#document.examples(holder)).flatMap(([example, value]) =>
      this.#bodyProblems(`${name} ${example}`, holder, value),
    );
  }

  #bodyProblems(name: string, holder: Part, body: unknown): readonly string[] {
    const { schema } = this.#document.json(holder);
    if (!isPart(schema)) return body === undefined ? [] : [`${name}: JSON where the document has none`];
    const validate = this.#compile(schema);
    if (validate(body)) return [];
    return (validate.errors ?? []).map((error) => `${name}${error.instancePath}: ${error.message}`);
  }

  #compile(schema: Part): ValidateFunction {
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(Object(closeSchema(schema)));
    this.#compiled.set(schema, validate);
    return validate;
  }
}
