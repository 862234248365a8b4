/**
 * The areas of `npm run mutants`: the files that get wrong lines, and the tests that should notice. Tests of the whole
 * service are named one by one, because each wrong line runs all of them that reach it.
 *
 * `least` is the percentage below which `npm run mutants` fails: slightly below the area's result for lines that nobody had
 * seen.
 *
 * @type {Readonly<Record<string, { files: readonly string[], tests: readonly string[], least: number }>>}
 */
export const AREAS = {
  rules: {
    files: ["sandbox/rules/**/*.ts"],
    tests: ["sandbox/rules/**/*.test.ts"],
    least: 92,
  },
  secrets: {
    files: ["sandbox/secrets/*.ts"],
    tests: ["sandbox/secrets/*.test.ts", "sandbox/tests/{evidence,secrets}.test.ts"],
    least: 90,
  },
  operations: {
    files: ["sandbox/operations/*.ts"],
    tests: [
      "sandbox/{counterparts,operations}/*.test.ts",
      "sandbox/tests/{corrections,counterparts,explain,extension-endpoints,extensions,finer-causes,finer-causes-hints,finer-causes-kinds,finer-causes-places,finer-causes-remedies,finer-causes-states,finer-causes-values,install,job-fields,jobs,lifecycle,link-calls,methods,order-of-checks,parts,procurements,silent-effects,test-values,utilities}.test.ts",
    ],
    least: 85,
  },
  writer: {
    files: ["sandbox/storage/{database,sync,writer}.ts"],
    tests: [
      "sandbox/storage/{database,migrate,sync,writer}*.test.ts",
      "sandbox/worlds/{durability,log-numbers}.test.ts",
      "sandbox/tests/{durability,durable-answers}.test.ts",
    ],
    least: 82,
  },
  worlds: {
    files: ["sandbox/worlds/*.ts"],
    tests: ["sandbox/worlds/**/*.test.ts", "sandbox/tests/{fault-rules,faults,tenants,world-lifecycle,worlds}.test.ts"],
    least: 85,
  },
  webhooks: {
    files: ["sandbox/webhooks/*.ts"],
    tests: [
      "sandbox/webhooks/*.test.ts",
      "sandbox/tests/{deliveries,delivery,drill-mistakes,drills,drills-ended,own-addresses,receivers,sink,subscriptions,unsubscribe,verification,what-is-received}.test.ts",
    ],
    least: 85,
  },
  live: {
    files: ["renderer/kernel/{live,queries}/*.{ts,tsx}", "renderer/kernel/lists/live-list.ts"],
    tests: ["renderer/kernel/{live,lists,queries}/*.test.{ts,tsx}"],
    least: 75,
  },
  feed: {
    files: ["sandbox/live-feed/*.ts"],
    tests: ["sandbox/live-feed/*.test.ts", "sandbox/tests/{live,live-readers,live-of-several}.test.ts"],
    least: 90,
  },
  cluster: {
    files: ["sandbox/cluster/*.ts"],
    tests: [
      "sandbox/cluster/{called-world,database,database-clock,held-world,node,ownership,routed-calls,shared-access,shared-files,tables,taking-worlds,waiting-calls,world-store}.test.ts",
    ],
    least: 80,
  },
};
