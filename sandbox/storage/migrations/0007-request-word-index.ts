/**
 * Full-text index of calls, filled after the calls and in their order. Calls after its last row are not indexed yet.
 */
export const requestWordIndex = `
CREATE VIRTUAL TABLE requests_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
CREATE TRIGGER requests_words_deleted AFTER DELETE ON requests
  BEGIN DELETE FROM requests_search WHERE rowid = OLD.seq; END;
`;
