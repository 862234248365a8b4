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
 * Prints the types of a client for the OpenAPI document on standard input. It runs as a program of its own because the
 * generator needs the TypeScript that is installed beside this file, not the project's. Prose and examples are left out:
 * the types do not depend on them, and need not be made anew when a sentence changes.
 */
const types = astToString(await openapiTS(JSON.parse(await text(process.stdin), withoutWords)));
process.stdout.write(
  `// Made from /openapi.json by \`npm run openapi\`; a test fails when it is out of date.\n\n${types}`,
);
