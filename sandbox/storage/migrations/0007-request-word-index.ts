/**
 * What the words of a search are found by in exchanges. It is filled behind the calls, in their order: what comes after the
 * last that it knows is not indexed yet.
 */
export const requestWordIndex = `
CREATE VIRTUAL TABLE requests_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
CREATE TRIGGER requests_words_deleted AFTER DELETE ON requests
  BEGIN DELETE FROM requests_search WHERE rowid = OLD.seq; END;
`;
