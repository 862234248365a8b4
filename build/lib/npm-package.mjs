import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { COMMAND, PACKAGE } from "../../sandbox/contract/package-name.ts";
import { copyBuilt } from "./copy-built.mjs";
import { thirdPartyLicences } from "./licences.mjs";
import { projectNode, ROOT, readJson } from "./project.mjs";

/** Modules that tests import, each built for `import` and `require`. */
const HELPERS = ["index", "playwright", "testcontainers"];
const PEERS = { "@playwright/test": ">=1.50", testcontainers: ">=11" };
const OLDEST_NODE = ">=22.19";

/** Destination of the npm package, which is assembled from built parts. */
const folder = path.resolve(process.argv[2] ?? "out/npm");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
copyBuilt("sandbox", path.join(folder, "sandbox"));
copyBuilt("renderer", path.join(folder, "renderer"));
copyBuilt("story", path.join(folder, "story"));
copyBuilt("help", path.join(folder, "help"));
await bundleHelpers();
await bundlePageWriter();
writeTypes();
cpSync(path.join(ROOT, "build/npm/README.md"), path.join(folder, "README.md"));
for (const name of ["LICENSE", "SECURITY.md"]) cpSync(path.join(ROOT, name), path.join(folder, name));
writeFileSync(path.join(folder, "THIRD-PARTY-LICENCES.txt"), thirdPartyLicences(ROOT));
writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);

function manifest() {
  const { version, license, homepage, repository, bugs, dependencies } = readJson(path.join(ROOT, "package.json"));
  const helper = (/** @type {string} */ name) => ({
    import: { types: `./${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  });
  return {
    name: PACKAGE,
    version,
    description:
      "A local sandbox of the integrations API for vehicle repairers and parts suppliers, with its explorer.",
    license,
    homepage,
    repository,
    bugs,
    keywords: ["sandbox", "mock-server", "integration-testing", "webhooks", "vehicle-repair", "parts-ordering"],
    type: "module",
    bin: { [COMMAND]: "sandbox/cli.js" },
    publishConfig: { access: "public", provenance: true },
    engines: { node: OLDEST_NODE },
    files: [
      "*.js",
      "*.cjs",
      "*.d.ts",
      "*.d.cts",
      "*.md",
      "*.txt",
      "help",
      "renderer",
      "sandbox",
      "story",
      "!sandbox/compiled",
    ],
    exports: {
      ".": helper("index"),
      ...Object.fromEntries(HELPERS.filter((name) => name !== "index").map((name) => [`./${name}`, helper(name)])),
      "./scenario": { types: "./scenario.d.ts" },
      "./package.json": "./package.json",
    },
    // A bundle cannot contain the native module.
    dependencies: { "better-sqlite3": dependencies["better-sqlite3"] },
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }])),
  };
}

async function bundleHelpers() {
  const input = Object.fromEntries(HELPERS.map((name) => [name, path.join(ROOT, `build/npm/${name}.ts`)]));
  const bundle = await rolldown({
    input,
    platform: "node",
    external: /^[^./]/,
    logLevel: "warn",
  });
  for (const [format, extension] of /** @type {const} */ ([
    ["esm", "js"],
    ["cjs", "cjs"],
  ])) {
    const names = `[name].${extension}`;
    await bundle.write({ dir: folder, format, entryFileNames: names, chunkFileNames: names });
  }
  await bundle.close();
}

/** Bundles the explorer's shared pages, which show a failed test. */
async function bundlePageWriter() {
  const uiModules = /^(@mantine|react)|^\..*\/(kernel|shell|components)\//;
  const bundle = await rolldown({
    input: path.join(ROOT, "renderer/domain/share/failure-page.ts"),
    platform: "node",
    logLevel: "warn",
    resolve: { mainFields: ["module", "main"] },
    plugins: [
      {
        // A call's texts are declared beside its screen; a page needs only the texts.
        name: "texts-alone",
        resolveId: (id) => (uiModules.test(id) ? "\0drawn" : null),
        load: (id) => (id === "\0drawn" ? "module.exports = {};" : null),
      },
    ],
  });
  await bundle.write({ file: path.join(folder, "page.cjs"), format: "cjs" });
  await bundle.close();
}

function writeTypes() {
  const sources = [...HELPERS, "in-world", "receiver", "world"].map((name) => `build/npm/${name}.ts`);
  const client = "build/openapi-client/generated/integrations-service.ts";
  for (const source of [...sources, client, "sandbox/contract/ready-line.ts"]) {
    const { code, errors } = isolatedDeclarationSync(source, readFileSync(path.join(ROOT, source), "utf8"));
    if (errors.length > 0) throw new Error(`No types can be made of ${source}: ${errors[0]?.message}`);
    for (const [types, imported] of [
      ["d.ts", "js"],
      ["d.cts", "cjs"],
    ]) {
      const local = code.replace(/from "\.[^"]*?([\w-]+)\.ts"/g, `from "./$1.${imported}"`);
      writeFileSync(path.join(folder, `${path.basename(source, ".ts")}.${types}`), local);
    }
  }
  const generator = path.join(ROOT, "build/openapi-client/scenario-types.mjs");
  const schema = readFileSync(path.join(ROOT, "docs/scenarios/generated/scenario.schema.json"));
  writeFileSync(path.join(folder, "scenario.d.ts"), execFileSync(projectNode(), [generator], { input: schema }));
}
