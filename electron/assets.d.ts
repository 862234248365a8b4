/** A file that the bundler copies beside the main bundle; the import is its absolute path at run time. */
declare module "*?asset" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: the bundler gives the path as the default export
  export default path;
}
