import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** A page of its own: it is built when its pictures are taken, and is no part of the explorer. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: "../../out/gallery", emptyOutDir: true },
});
