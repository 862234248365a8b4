/**
 * The sandbox's package at the npm registry. The name has a scope, which only its owner can publish to: a name without
 * one could be a stranger's.
 */
export const PACKAGE = "@integrations-explorer/sandbox";

/** What the package, and `npm run sandbox:install` of a clone, install. */
export const COMMAND = "sandbox";

/** Whether the package and the installers are published. Until then every page leads to a clone first. */
export const IS_PUBLISHED = false;
