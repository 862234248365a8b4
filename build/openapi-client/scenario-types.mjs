import { text } from "node:stream/consumers";
import openapiTS, { astToString } from "openapi-typescript";

/**
 * Prints types for the JSON Schema of scenarios on standard input. A separate program like generate.mjs, for the
 * TypeScript installed beside it.
 */
const schema = JSON.parse(await text(process.stdin));
const document = {
  openapi: "3.1.0",
  info: { title: "", version: "" },
  paths: {},
  components: { schemas: { Scenario: schema } },
};
const types = astToString(await openapiTS(/** @type {import("openapi-typescript").OpenAPI3} */ (document)));
process.stdout.write(`${types}
/** A scenario, or with \`start\` a reproduction. */
export type Scenario = components["schemas"]["Scenario"];
/** One step of it. */
export type Step = Scenario["steps"][number];
`);
