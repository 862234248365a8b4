/** Deletes armed faults: their kinds for deliveries no longer exist. */
export const faultsOfCalls = "DELETE FROM meta WHERE key = 'faults';";
