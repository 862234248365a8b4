import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A process each: the native SQLite module and signals do not like to share one with other tests.
    pool: "forks",
    // The service is tested as it runs, over real HTTP and on real files, maybe on a busy machine.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    projects: [
      { extends: true, test: { name: "sandbox", include: ["sandbox/**/*.test.ts"] } },
      { extends: true, test: { name: "explorer", include: ["renderer/**/*.test.{ts,tsx}"] } },
      { extends: true, test: { name: "desktop", include: ["electron/**/*.test.ts", "e2e/**/*.test.ts"] } },
      { extends: true, test: { name: "build", include: ["build/**/*.test.ts"] } },
    ],
  },
});
