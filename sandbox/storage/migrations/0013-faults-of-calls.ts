/** Faults are of calls alone, and of fewer kinds: an armed one of the others would have no meaning. */
export const faultsOfCalls = "DELETE FROM meta WHERE key = 'faults';";
