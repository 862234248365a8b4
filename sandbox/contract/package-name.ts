/**
 * The sandbox's package in the npm registry. Only the owner of the scope can publish under this name; without a scope,
 * the name could belong to a stranger.
 */
export const PACKAGE = "@integrations-explorer/sandbox";

/** The command that the package, and `npm run sandbox:install` of a clone, install. */
export const COMMAND = "sandbox";
