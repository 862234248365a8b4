/** Finds failed calls of an operation; successful ones already have an index. */
export const exchangesNotDone = "CREATE INDEX requests_not_done ON requests (operation) WHERE status <> 200";
