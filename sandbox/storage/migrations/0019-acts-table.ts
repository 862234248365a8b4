import { LARGEST_SEQ } from "./0001-initial.ts";

const time = (name: string): string => `${name} INTEGER CHECK (${name} BETWEEN -260000000000000 AND 260000000000000)`;

/**
 * Acts of counterparts and test values with their results; the number of calls a job's test value responded to; and the
 * test values each call met.
 */
export const actsTable = `
CREATE TABLE acts (
  seq INTEGER PRIMARY KEY CHECK (seq BETWEEN 1 AND ${LARGEST_SEQ}), ${time("due_at")} NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('confirm', 'cancel', 'order', 'notify')),
  organization_id TEXT NOT NULL, rule_id TEXT, test_value TEXT, job_id TEXT, procurement_id TEXT, event_seq INTEGER,
  step INTEGER NOT NULL DEFAULT 0 CHECK (step BETWEEN 0 AND 2),
  ${time("ended_at")}, outcome TEXT CHECK (outcome IN ('done', 'skipped', 'refused')), sentence TEXT, trace_id TEXT
) STRICT;
CREATE INDEX acts_due ON acts (due_at, seq) WHERE ended_at IS NULL;
CREATE INDEX acts_by_job ON acts (job_id) WHERE ended_at IS NULL;
CREATE INDEX acts_by_rule ON acts (rule_id) WHERE ended_at IS NULL;
CREATE INDEX acts_ended ON acts (ended_at, seq) WHERE ended_at IS NOT NULL;
ALTER TABLE jobs ADD COLUMN test_answers INTEGER NOT NULL DEFAULT 0 CHECK (test_answers BETWEEN 0 AND 1000);
ALTER TABLE requests ADD COLUMN test_values TEXT;
`;
