/**
 * Finding jobs and procurements in worlds of any size: how far each list's index knows its rows. A list's index itself
 * is made when the list has grown long, so that a fresh world stays small. A world that is there already is on disk.
 */
export const search = `
CREATE TABLE search_progress (list TEXT PRIMARY KEY, through INTEGER NOT NULL, place INTEGER NOT NULL) STRICT, WITHOUT ROWID;
DROP INDEX jobs_by_site;
DROP INDEX procurements_by_status;
INSERT INTO meta (key, value) SELECT 'settled', '1' WHERE EXISTS (SELECT 1 FROM meta WHERE key = 'epoch');
`;
