/** Refused calls, which are few among many. Costs a call that succeeds nothing. */
export const refusedRequests = "CREATE INDEX requests_refused ON requests (seq) WHERE status >= 400";
