/** See chromium.mjs; declared for the configuration of Playwright, which is TypeScript. */
export declare function findChromium(env?: NodeJS.ProcessEnv): string | null;
