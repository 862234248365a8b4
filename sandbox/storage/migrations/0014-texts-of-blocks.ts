/** Index entries from this number on hold one row each: a row that changed after its block was indexed. */
export const FIRST_SINGLE_ROW = 1_125_899_906_842_624;

const index = (list: string): string => `
CREATE VIRTUAL TABLE ${list}_search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);`;

const fill = (list: string, text: string, joins = ""): string => `
INSERT INTO ${list}_search (rowid, text)
  SELECT r.seq / 64, group_concat(concat_ws(char(10), ${text}), char(10)) FROM ${list} r ${joins}
  WHERE r.seq / 64 < (SELECT max(seq) / 64 FROM ${list}) GROUP BY r.seq / 64;`;

/**
 * Indexes the text of 64 rows together, by trigrams: an eighth of the size of one entry per row. A search then reads
 * the rows of the blocks found. The last block is not indexed until it is full.
 *
 * One narrow index replaces the ten that served the filters of calls.
 */
export const textsOfBlocks = `
DROP TRIGGER jobs_unindexed_updated;
DROP TRIGGER jobs_unindexed_deleted;
DROP TRIGGER procurements_unindexed_inserted;
DROP TRIGGER procurements_unindexed_deleted;
DROP TRIGGER requests_words_deleted;
DROP TABLE unindexed;
DROP TABLE jobs_search;
DROP TABLE procurements_search;
DROP TABLE requests_search;
${["jobs", "procurements", "requests"].map(index).join("")}
${fill("jobs", "r.plate_number, r.job_number, r.claim_number, r.external_id, r.chassis_number")}
${fill(
  "procurements",
  "r.reference, j.plate_number, j.job_number, s.name",
  "LEFT JOIN jobs j ON j.id = r.job_id LEFT JOIN businesses s ON s.id = r.supplier_business_id",
)}
${fill("requests", "r.path, r.outcome, r.label, r.error_code")}

CREATE TRIGGER jobs_search_updated AFTER UPDATE OF plate_number, job_number, claim_number, external_id, chassis_number ON jobs
  WHEN (NEW.plate_number, NEW.job_number, NEW.claim_number, NEW.external_id, NEW.chassis_number)
    IS NOT (OLD.plate_number, OLD.job_number, OLD.claim_number, OLD.external_id, OLD.chassis_number)
  BEGIN
    INSERT OR REPLACE INTO jobs_search (rowid, text) VALUES (
      ${FIRST_SINGLE_ROW} + NEW.seq,
      concat_ws(char(10), NEW.plate_number, NEW.job_number, NEW.claim_number, NEW.external_id, NEW.chassis_number)
    );
    INSERT OR REPLACE INTO procurements_search (rowid, text)
      SELECT ${FIRST_SINGLE_ROW} + p.seq, concat_ws(char(10), NEW.plate_number, NEW.job_number) FROM procurements p WHERE p.job_id = NEW.id;
  END;
CREATE TRIGGER requests_search_deleted AFTER DELETE ON requests
  WHEN NOT EXISTS (SELECT 1 FROM requests WHERE seq BETWEEN OLD.seq / 64 * 64 AND OLD.seq / 64 * 64 + 63)
  BEGIN DELETE FROM requests_search WHERE rowid = OLD.seq / 64; END;

DROP INDEX requests_not_done;
DROP INDEX requests_by_status;
DROP INDEX requests_by_error;
DROP INDEX requests_by_time;
DROP INDEX requests_faulted;
DROP INDEX requests_unrouted;
DROP INDEX requests_by_origin;
DROP INDEX requests_replayed;
CREATE INDEX requests_narrow ON requests (seq, status, operation, side, error_code, at, origin, replays_id, unrouted, faults);
`;
