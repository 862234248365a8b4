import react from "@vitejs/plugin-react";
import { build } from "vite";

// A test's own NODE_ENV would select React's development build, and its pages would stay blank.
process.env.NODE_ENV = "production";

// The player of shared stories: one script and one style with its fonts, so a page needs no other files.
await build({
  configFile: false,
  root: "renderer",
  logLevel: "warn",
  publicDir: false,
  plugins: [react()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    outDir: "../out/story",
    emptyOutDir: true,
    minify: true,
    cssCodeSplit: false,
    lib: { entry: "story.tsx", formats: ["iife"], name: "story", fileName: () => "player.js", cssFileName: "player" },
  },
});
