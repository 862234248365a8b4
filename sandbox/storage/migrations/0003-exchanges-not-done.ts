/** The calls of an operation that were not answered 200; an index finds those that were already. */
export const exchangesNotDone = "CREATE INDEX requests_not_done ON requests (operation) WHERE status <> 200";
