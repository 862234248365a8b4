/**
 * Forbidden imports. `npm run architecture` checks the project with these rules; `build/architecture.test.ts` proves
 * for each of them that a forbidden import fails and a permitted one passes.
 */

const TEST = "[.]test[.]tsx?$";
const SCHEMA_LIBRARY = "(^|/)node_modules/typebox/";
/** The modules of the contract that name and describe without a schema: what a page loads of it. */
const CONTRACT_WITHOUT_SCHEMAS =
  "^sandbox/contract/(access|call-references|drill-names|drills|errors|escape-html|event-types|fault-words|job-change|json-pointer|known-secrets|listener|live|nearest-names|openapi/decisions|operation|package-name|scenario-name|signature|test-values|text|url-mistake|values|operations/partner-calls|" +
  "control/(exchange-kinds|policies|presets|words))[.]ts$";
const ELECTRON_PACKAGE = "(^|/)node_modules/electron/";
const MCP_LIBRARY = "(^|/)node_modules/@modelcontextprotocol/";
const DATABASE_CLIENT = "(^|/)node_modules/pg/";
const FASTIFY = "(^|/)node_modules/(fastify|@fastify)/";
/** Reads addresses, without looking anything up. */
const ADDRESS_LIBRARY = "node_modules/ipaddr.js/";
/** The engine for regular expressions that others write. */
const PATTERNS = "node_modules/re2js/";
/** The built-in modules whose useful part is pure: hashes, encodings, packing, the form of addresses. */
const PURE_BUILT_INS = "^(buffer|crypto|net|url|util|zlib)$";

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const forbidden = [
  {
    name: "contract-imports-the-schema-library-alone",
    comment: "The contract is declarations: the service, the explorer and the tests read it, and it reads nobody.",
    severity: "error",
    from: { path: "^sandbox/contract/", pathNot: TEST },
    to: { pathNot: ["^sandbox/contract/", SCHEMA_LIBRARY] },
  },
  {
    name: "rules-are-pure",
    comment:
      "A rule is a function of its arguments. Storage, HTTP, the clock and randomness are passed in. (That no rule " +
      "calls the clock or randomness by a global name is checked by build/lint/no-clock-or-randomness.grit.)",
    severity: "error",
    from: { path: "^sandbox/rules/", pathNot: TEST },
    to: { pathNot: ["^sandbox/(rules|contract)/", SCHEMA_LIBRARY, PATTERNS, PURE_BUILT_INS, ADDRESS_LIBRARY] },
  },
  {
    name: "secrets-are-pure",
    comment: "A key, a signature and a mask follow from what is passed in; what keeps them is elsewhere.",
    severity: "error",
    from: { path: "^sandbox/secrets/", pathNot: TEST },
    to: { pathNot: ["^sandbox/(secrets|rules|contract)/", PURE_BUILT_INS] },
  },
  {
    name: "product-knows-no-bench",
    comment: "What measures, loads and tests the service is not shipped with it.",
    severity: "error",
    from: {
      path: "^(sandbox|electron|renderer)/",
      pathNot: [TEST, "^(sandbox/(bench|soak|(cluster/)?testing|tests)|renderer/testing)/"],
    },
    to: { path: "^(sandbox/(bench|soak|(cluster/)?testing|tests)|renderer/testing|e2e)/" },
  },
  {
    name: "operations-never-see-http",
    comment: "An operation gets a narrow context and returns a value or a refusal. HTTP is the pipeline's business.",
    severity: "error",
    from: { path: "^sandbox/operations/", pathNot: TEST },
    to: { path: [FASTIFY, "^sandbox/http/", "^https?$", "^http2$"] },
  },
  {
    name: "storage-knows-no-caller",
    comment: "Stores serve operations and routes; a store that imports one of them has turned the house around.",
    severity: "error",
    from: { path: "^sandbox/storage/", pathNot: TEST },
    to: { path: "^sandbox/(operations|http)/" },
  },
  {
    name: "webhooks-know-no-operation",
    comment: "Delivery reads the outbox. What put an event there is not its concern.",
    severity: "error",
    from: { path: "^sandbox/webhooks/", pathNot: TEST },
    to: { path: "^sandbox/operations/" },
  },
  {
    name: "assistants-load-when-they-come",
    comment: "The library for assistants is large, and most services never meet one: it is imported at the first call.",
    severity: "error",
    from: { pathNot: ["^sandbox/mcp/", TEST] },
    to: { path: ["^sandbox/mcp/", MCP_LIBRARY], dynamic: false },
  },
  {
    name: "a-cluster-loads-where-there-is-one",
    comment: "The app, a pipeline and a single machine never load it: it is imported where a database is named.",
    severity: "error",
    from: { pathNot: ["^sandbox/cluster/", TEST] },
    to: { path: ["^sandbox/cluster/", DATABASE_CLIENT], dynamic: false, dependencyTypesNot: ["type-only"] },
  },
  {
    name: "a-service-loads-where-one-starts",
    comment: "Most commands call a running service: loading a second one takes most of their time.",
    severity: "error",
    from: { path: "^sandbox/(cli[.]ts$|command/)", pathNot: TEST },
    to: { path: "^sandbox/service[.]ts$", dynamic: false, dependencyTypesNot: ["type-only"] },
  },
  {
    name: "sandbox-knows-no-host",
    comment: "The service runs without a window and without a page: on a server, in a pipeline, in a test.",
    severity: "error",
    from: { path: "^sandbox/" },
    to: { path: ["^(electron|renderer)/", ELECTRON_PACKAGE] },
  },
  {
    name: "renderer-not-electron",
    comment:
      "The explorer is the same page in the app and in a browser. Of the desktop it may know one thing: the type of " +
      "the bridge (electron/ipc/channels.ts, with `import type`).",
    severity: "error",
    from: { path: "^renderer/" },
    to: { path: ["^electron/", ELECTRON_PACKAGE], pathNot: "^electron/ipc/channels[.]ts$" },
  },
  {
    name: "renderer-imports-only-types-of-the-bridge",
    comment: "A value from electron/ in the page's bundle would make the page depend on its host.",
    severity: "error",
    from: { path: "^renderer/" },
    to: { path: "^electron/ipc/channels[.]ts$", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "renderer-not-node",
    comment: "A page has no Node. What it needs from the machine it asks the service for.",
    severity: "error",
    from: { path: "^renderer/", pathNot: TEST },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "renderer-sees-the-contract-alone",
    comment: "Everything else in the service is reached over HTTP, by partners and by the explorer alike.",
    severity: "error",
    from: { path: "^renderer/" },
    to: { path: "^sandbox/", pathNot: "^sandbox/contract/" },
  },
  {
    name: "renderer-loads-no-schemas",
    comment:
      "The schema library and every schema would be loaded before a page is of use, and none of it is: the service " +
      "checks. Of modules with schemas the explorer takes the types.",
    severity: "error",
    from: { path: "^renderer/", pathNot: TEST },
    to: {
      path: ["^sandbox/contract/", SCHEMA_LIBRARY],
      pathNot: CONTRACT_WITHOUT_SCHEMAS,
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "what-the-renderer-loads-has-no-schemas",
    comment: "One of these modules with a schema in it would bring the schema library into the page.",
    severity: "error",
    from: { path: CONTRACT_WITHOUT_SCHEMAS },
    to: { pathNot: [CONTRACT_WITHOUT_SCHEMAS, "^sandbox/contract/.+[.]json$"], dependencyTypesNot: ["type-only"] },
  },
  {
    name: "a-feature-not-another-feature",
    comment: "What two places of the explorer share lives in domain/, kernel/, components/ or lib/.",
    severity: "error",
    from: { path: "^renderer/features/([^/]+)/" },
    to: { path: "^renderer/features/[^/]+/", pathNot: "^renderer/features/$1/" },
  },
  {
    name: "domain-knows-no-place",
    comment: "What several places show of one thing serves them all, and the frame; it knows neither.",
    severity: "error",
    from: { path: "^renderer/domain/" },
    to: { path: "^renderer/features/" },
  },
  {
    name: "kernel-knows-no-domain",
    comment: "World, keys, live feed, queries, notices and addresses are what jobs, orders and traces build on.",
    severity: "error",
    from: { path: "^renderer/kernel/" },
    to: { path: "^renderer/(features|domain)/" },
  },
  {
    name: "components-know-no-place",
    comment:
      "Primitives and helpers serve every place and so know none, nor what places build on: the window hands them what " +
      "they need of it (components/window-context.ts).",
    severity: "error",
    from: { path: "^renderer/(components|lib)/", pathNot: TEST },
    to: { path: "^renderer/(features|domain|kernel)/" },
  },
  {
    name: "helpers-know-no-component",
    comment: "What formats, calls the service and remembers serves components, and draws nothing.",
    severity: "error",
    from: { path: "^renderer/lib/", pathNot: TEST },
    to: { path: "^renderer/components/" },
  },
  {
    name: "nothing-imports-the-shell",
    comment: "The frame stands around the places. What one of them needs of it belongs to the kernel.",
    severity: "error",
    from: { path: "^renderer/", pathNot: "^renderer/(shell/|main[.]tsx$)" },
    to: { path: "^renderer/shell/" },
  },
  {
    name: "preload-only-the-channels",
    comment: "The preload is the whole bridge between page and app, so that it can be read at a glance.",
    severity: "error",
    from: { path: "^electron/preload[.]ts$" },
    to: { pathNot: ["^electron/ipc/channels[.]ts$", ELECTRON_PACKAGE] },
  },
  {
    name: "e2e-not-renderer",
    comment: "End-to-end tests see what a person sees: the page, never its modules. The gallery is a page, not a test.",
    severity: "error",
    from: { path: "^e2e/", pathNot: "^e2e/gallery/" },
    to: { path: "^renderer/" },
  },
  {
    name: "no-circular",
    comment: "A circle means two files have one reason to change, or one file has two. Types count.",
    severity: "error",
    from: {},
    to: { circular: true },
  },
  {
    name: "no-circle-of-folders",
    comment:
      "Within a place, and within what places build on, one folder is read after another: what two of them share stands " +
      "above both.",
    severity: "error",
    scope: "folder",
    from: { path: "^renderer/(features/[^/]+|kernel)/" },
    to: { path: "^renderer/(features/[^/]+|kernel)/", circular: true },
  },
  {
    name: "not-to-a-test",
    comment: "What a test and the product share is no test file.",
    severity: "error",
    from: { pathNot: TEST },
    to: { path: TEST },
  },
  {
    name: "not-to-unresolvable",
    comment: "An import that leads nowhere is seen by none of the rules above.",
    severity: "error",
    from: {},
    to: { couldNotResolve: true },
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden,
  options: {
    // TypeScript 7 has no compiler API in JavaScript. Of the other parsers this one sees type-only imports.
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^out/", "^build/fixtures/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types", "style"],
      extensions: [".ts", ".tsx", ".mjs", ".cjs", ".js", ".css", ".json"],
    },
  },
};
