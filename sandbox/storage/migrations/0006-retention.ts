/**
 * Forgetting what is too old: what is sent once more is found at once, because it needs what would else be forgotten
 * with its first sending. Ordinary deliveries are not in this index and cost nothing.
 */
export const retention = `
CREATE INDEX deliveries_to_repeat ON deliveries (event_seq) WHERE repeats_id IS NOT NULL AND state < 2;
`;
