import react from "@vitejs/plugin-react";
import { build } from "vite";

// A build that a test asks for inherits the test's own: its pages would need React's development half and stay blank.
process.env.NODE_ENV = "production";

// The player of shared stories: one script and one style, fonts inside, so that a page needs nothing beside itself.
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
