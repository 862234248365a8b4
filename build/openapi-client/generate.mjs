import { text } from "node:stream/consumers";
import openapiTS, { astToString } from "openapi-typescript";

const EXAMPLES = new Set(["example", "examples"]);
const PROSE = new Set(["description", "summary"]);

/**
 * @param {string} key
 * @param {unknown} value
 */
function withoutWords(key, value) {
  if (EXAMPLES.has(key)) return undefined;
  return PROSE.has(key) && typeof value === "string" ? "" : value;
}

/**
 * Prints client types for the OpenAPI document on standard input. A separate program, because the generator needs the
 * TypeScript installed beside this file. Descriptions and examples are omitted, so that a changed sentence doesn't
 * change the types.
 */
const types = astToString(await openapiTS(JSON.parse(await text(process.stdin), withoutWords)));
process.stdout.write(
  `// Made from /openapi.json by \`npm run openapi\`; a test fails when it is out of date.\n\n${types}`,
);
