import type { SearchList } from "./search-lists.ts";

const through = (name: string): string => `(SELECT through FROM search_progress WHERE list = '${name}')`;

/** A trigger that notes the rows a query finds as changed, as far as the index knows them. */
const noting = (name: string, trigger: string, when: string, rows: string, then = ""): string =>
  `CREATE TRIGGER ${name}_${trigger} ${when} BEGIN
     INSERT OR IGNORE INTO ${name}_changed SELECT seq FROM (${rows}) WHERE seq <= ${through(name)}; ${then}
   END;`;

/** A deleted row at the end moves `through` back, because the next new row may be given its number. */
const movingBack = (name: string): string =>
  `UPDATE search_progress SET through = min(through, coalesce((SELECT max(seq) FROM ${name}), 0)) WHERE list = '${name}';`;

const triggers: Readonly<Record<SearchList["name"], readonly string[]>> = {
  jobs: [
    noting("jobs", "updated", "AFTER UPDATE ON jobs", "SELECT OLD.seq AS seq"),
    noting("jobs", "deleted", "AFTER DELETE ON jobs", "SELECT OLD.seq AS seq", movingBack("jobs")),
    noting("jobs", "given_parts", "AFTER INSERT ON job_parts", "SELECT seq FROM jobs WHERE id = NEW.job_id"),
    noting("jobs", "lost_parts", "AFTER DELETE ON job_parts", "SELECT seq FROM jobs WHERE id = OLD.job_id"),
    noting("jobs", "ordered", "AFTER INSERT ON procurements", "SELECT seq FROM jobs WHERE id = NEW.job_id"),
    noting("jobs", "order_moved", "AFTER UPDATE ON procurements", "SELECT seq FROM jobs WHERE id = NEW.job_id"),
    noting("jobs", "order_deleted", "AFTER DELETE ON procurements", "SELECT seq FROM jobs WHERE id = OLD.job_id"),
  ],
  procurements: [
    noting("procurements", "updated", "AFTER UPDATE ON procurements", "SELECT OLD.seq AS seq"),
    noting(
      "procurements",
      "deleted",
      "AFTER DELETE ON procurements",
      "SELECT OLD.seq AS seq",
      movingBack("procurements"),
    ),
    noting(
      "procurements",
      "known_otherwise",
      "AFTER UPDATE OF job_number, plate_number ON jobs WHEN NEW.job_number IS NOT OLD.job_number OR NEW.plate_number IS NOT OLD.plate_number",
      "SELECT seq FROM procurements WHERE job_id = NEW.id",
    ),
  ],
};

/**
 * What a list's index is made of: which rows are of which kind (`_facets`), where each stands (`_places`), what each
 * contains (`_grams`), and which changed since they were taken in (`_changed`).
 */
export const searchTables = ({ name, facets, sorts, textSorts }: SearchList): string => {
  const kinds = Object.keys(facets);
  const keys = Object.keys(sorts);
  const typeOf = (key: string): string => (textSorts.includes(key) ? "TEXT" : "INTEGER");
  return `
CREATE TABLE ${name}_facets (
  facet INTEGER PRIMARY KEY, ${kinds.map((kind) => `${kind} TEXT NOT NULL`).join(", ")}, n INTEGER NOT NULL, UNIQUE (${kinds.join(", ")})
) STRICT;
CREATE TABLE ${name}_places (
  place INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE, facet INTEGER NOT NULL,
  ${keys.map((key) => `${key} ${typeOf(key)} NOT NULL`).join(", ")}
) STRICT;
${keys.map((key) => `CREATE INDEX ${name}_places_by_${key} ON ${name}_places (facet, ${key}, seq);`).join("\n")}
CREATE TABLE ${name}_changed (seq INTEGER PRIMARY KEY) STRICT;
CREATE VIRTUAL TABLE ${name}_grams USING fts5 (
  grams, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);
INSERT INTO ${name}_grams (${name}_grams, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
${triggers[name].join("\n")}
INSERT INTO search_progress VALUES ('${name}', 0, 0);`;
};
