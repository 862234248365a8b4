/**
 * Exchanges by what became of them, each in its order: what was done by its operation, so that the newest changes and the
 * first call of an operation are found without reading those between; and what was refused, which is little.
 */
export const outcomes = `
CREATE INDEX requests_done ON requests (operation) WHERE status = 200;
CREATE INDEX requests_refused ON requests (seq) WHERE status >= 400;
`;
