import fs from "node:fs";
import { isDeepStrictEqual } from "node:util";
import Sqlite from "better-sqlite3";
import {
  type ComparedTable,
  type Difference,
  MOST_DIFFERENT,
  MOST_FIELDS,
  type TableDifference,
} from "../contract/control/compare-operations.ts";
import { maskSecret } from "../rules/keys.ts";
import { iso } from "../rules/timestamp.ts";
import { Database } from "../storage/database.ts";
import { type SettingName, settings } from "../storage/settings-store.ts";
import { missingTable } from "../worlds/world-files.ts";
import { damagedSnapshot, readSnapshot } from "./read-snapshot.ts";
import type { CompareWork, OnProgress, WorkResults } from "./work.ts";

type Row = Readonly<Record<string, unknown>>;
type Fields = Difference["fields"];
/** The two files, by what SQLite calls them over one connection. */
type Side = "main" | "there";

/** What of a table is compared: its rows are found by `id`, and are as they are in both only if all columns are. */
interface Compared {
  readonly table: Exclude<ComparedTable, "policies" | "clock">;
  readonly from: string;
  readonly id: string;
  readonly label: string;
  readonly job: string;
  readonly procurement: string;
  /** By the name of the field. */
  readonly columns: Readonly<Record<string, string>>;
}

const plain = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `r.${name}`]));
/** Whose, in words: ids say nothing to a person. `@` is the file. */
const business = (column: string): string => `(SELECT name FROM @.businesses WHERE id = r.${column})`;
const organization = (column: string): string => `(SELECT name FROM @.organizations WHERE id = r.${column})`;

const comparedRows: readonly Compared[] = [
  {
    table: "jobs",
    from: "@.jobs r",
    id: "r.id",
    label: "coalesce(r.job_number, r.plate_number, r.external_id, r.id)",
    job: "r.id",
    procurement: "NULL",
    columns: {
      ...plain("state", "external_id", "job_number", "claim_number", "has_vehicle", "chassis_number", "plate_number"),
      ...plain("plate_state", "vehicle_variant", "images"),
      site: business("repairer_site_id"),
      work_provider: organization("work_provider_id"),
    },
  },
  {
    table: "parts",
    from: "@.job_parts r",
    id: "r.id",
    label: "r.description",
    job: "r.job_id",
    procurement: "NULL",
    columns: plain("description", "external_id", "ghca_id", "note", "quantity", "status"),
  },
  {
    table: "procurements",
    from: "@.procurements r",
    id: "r.id",
    label: "coalesce(r.reference, r.id)",
    job: "r.job_id",
    procurement: "r.id",
    columns: {
      ...plain("status", "reference", "deliver_before"),
      buyer: business("buyer_business_id"),
      supplier: business("supplier_business_id"),
      document: "r.document",
    },
  },
  {
    table: "subscriptions",
    from: "(SELECT * FROM @.subscriptions WHERE ended_at IS NULL) r",
    id: "r.id",
    label: "r.url",
    job: "NULL",
    procurement: "NULL",
    columns: { ...plain("integration_id", "url", "paused_by"), paused: "r.paused_at IS NOT NULL" },
  },
  {
    table: "integrations",
    from: "@.credentials r",
    id: "r.integration_id",
    label: `${organization("organization_id")} || ', ' || r.scope`,
    job: "NULL",
    procurement: "NULL",
    columns: {
      organization: organization("organization_id"),
      ...plain("scope", "client_id", "api_key", "webhook_secret"),
    },
  },
];

const SECRET = new Set(["api_key", "webhook_secret"]);
const JSON_TEXT = new Set(["document", "images"]);

const isObject = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields below a path that differ; undefined stands for one that is not there, and is told as null. */
const differences = (path: string, here: unknown, there: unknown): Fields => {
  if (isDeepStrictEqual(here, there)) return [];
  const keys = (one: unknown): string[] | null =>
    isObject(one) ? Object.keys(one) : Array.isArray(one) ? Object.keys(one) : null;
  const [ours, theirs] = [keys(here), keys(there)];
  if (ours === null || theirs === null || Array.isArray(here) !== Array.isArray(there))
    return [{ path, here: here ?? null, there: there ?? null }];
  return [...new Set([...ours, ...theirs])].flatMap((key) => {
    const below = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return differences(below, Reflect.get(here as object, key), Reflect.get(there as object, key));
  });
};

/** Two files over one connection, which writes to neither. */
class Both {
  readonly #handle: Sqlite.Database;
  readonly #epochs: Readonly<Record<Side, number>>;

  constructor(here: string, there: string) {
    this.#handle = new Sqlite(here, { readonly: true, fileMustExist: true });
    this.#handle.prepare("ATTACH ? AS there").run(there);
    this.#handle.exec("BEGIN");
    this.#epochs = { main: this.#setting("main", "epoch") as number, there: this.#setting("there", "epoch") as number };
  }

  close(): void {
    this.#handle.close();
  }

  #setting(side: Side, name: SettingName): unknown {
    const value = this.#handle
      .prepare<[string], string>(`SELECT value FROM ${side}.meta WHERE key = ?`)
      .pluck()
      .get(name);
    return value === undefined ? settings[name].initial : JSON.parse(value);
  }

  #count(from: string): number {
    return this.#handle.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get() ?? 0;
  }

  /** A field as it is told: a time as the side dates it, JSON as what it says, a secret masked. */
  #told(name: string, value: unknown, side: Side): unknown {
    if (value === null) return null;
    if (name === "deliver_before") return iso(Number(value) + this.#epochs[side]);
    if (SECRET.has(name)) return maskSecret(String(value));
    return JSON_TEXT.has(name) ? (JSON.parse(String(value)) as unknown) : value;
  }

  #fields(names: readonly string[], row: Row): Fields {
    const found = names.flatMap((name): Fields => {
      const [ours, theirs] = [row[`here_${name}`], row[`there_${name}`]];
      if (ours === theirs) return [];
      const [here, there] = [this.#told(name, ours, "main"), this.#told(name, theirs, "there")];
      return JSON_TEXT.has(name)
        ? differences(name === "document" ? "" : name, here, there)
        : [{ path: name, here, there }];
    });
    return found.slice(0, MOST_FIELDS);
  }

  /** @param step says that another piece of it is done */
  compare({ table, from, id, label, job, procurement, columns }: Compared, step: () => void): TableDifference {
    const names = Object.keys(columns);
    const rows = (side: Side, as: string): string => {
      const fields = Object.entries(columns).map(([name, sql]) => `${sql} AS "${name}"`);
      const all = `SELECT ${id} AS id, ${label} AS label, ${job} AS job_id, ${procurement} AS procurement_id, ${fields.join(", ")} FROM ${from}`;
      return `(${all.replaceAll("@", side)}) ${as}`;
    };
    const lone = (one: Side, other: Side) =>
      `${rows(one, "a")} WHERE NOT EXISTS (SELECT 1 FROM ${rows(other, "b")} WHERE b.id = a.id)`;
    const row = (as: string) => names.map((name) => `${as}."${name}"`).join(", ");
    const differ = `${rows("main", "a")} JOIN ${rows("there", "b")} ON b.id = a.id WHERE (${row("a")}) IS NOT (${row("b")})`;
    const pairs = names.map((name) => `a."${name}" AS "here_${name}", b."${name}" AS "there_${name}"`).join(", ");
    type Named = Omit<Difference, "is" | "fields" | "label"> & { readonly label: string | null };
    const list = (is: Difference["is"], of: string, more = ""): Difference[] =>
      this.#handle
        .prepare<[number], Named & Row>(`SELECT a.id, a.label, a.job_id, a.procurement_id${more} FROM ${of} LIMIT ?`)
        .all(MOST_DIFFERENT)
        .map((found) => ({
          is,
          id: found.id,
          label: found.label ?? found.id,
          job_id: found.job_id,
          procurement_id: found.procurement_id,
          fields: is === "changed" ? this.#fields(names, found) : [],
        }));
    const count = (of: string): number => {
      step();
      return this.#count(of);
    };
    return {
      table,
      here: count(rows("main", "a")),
      there: count(rows("there", "a")),
      only_here: count(lone("main", "there")),
      only_there: count(lone("there", "main")),
      changed: count(differ),
      rows: [
        ...list("only_here", lone("main", "there")),
        ...list("only_there", lone("there", "main")),
        ...list("changed", differ, `, ${pairs}`),
      ],
    };
  }

  /** Settings are in both, each by its name. */
  compareSettings(table: "policies" | "clock"): TableDifference {
    const read = (side: Side): Row =>
      table === "policies"
        ? (this.#setting(side, "policies") as Row)
        : { ahead_seconds: (this.#setting(side, "clock_offset") as number) / 1_000 };
    const [here, there] = [read("main"), read("there")];
    const names = Object.keys(here);
    const rows = names
      .filter((name) => here[name] !== there[name])
      .map((name): Difference => {
        const fields = [{ path: name, here: here[name], there: there[name] }];
        return { is: "changed", id: name, label: name, job_id: null, procurement_id: null, fields };
      });
    return { table, here: names.length, there: names.length, only_here: 0, only_there: 0, changed: rows.length, rows };
  }
}

const PIECES = 5;

const compareFiles = (here: string, there: string, onProgress: OnProgress): WorkResults["compare"] => {
  const both = new Both(here, there);
  let done = 0;
  const step = () => onProgress(done++ / (comparedRows.length * PIECES));
  try {
    const tables = [
      ...comparedRows.map((one) => both.compare(one, step)),
      both.compareSettings("policies"),
      both.compareSettings("clock"),
    ];
    const same = tables.every(({ only_here, only_there, changed }) => only_here + only_there + changed === 0);
    return { tables, same };
  } finally {
    both.close();
  }
};

/** Compares two worlds' files. A snapshot's is copied first: it may be of an earlier version, and stays what it is. */
export const compareWorlds = (
  { from, other, snapshot, to }: CompareWork,
  onProgress: OnProgress,
): WorkResults["compare"] => {
  if (snapshot === null) return compareFiles(from, other, onProgress);
  for (const suffix of ["", "-wal"])
    if (fs.statSync(other + suffix, { throwIfNoEntry: false })?.isFile())
      fs.copyFileSync(other + suffix, to + suffix, fs.constants.COPYFILE_FICLONE);
  return readSnapshot(snapshot, to, () => {
    const db = new Database(to, { durability: "off" });
    try {
      if (!db.isSound() || missingTable(db) !== undefined) throw damagedSnapshot(snapshot);
    } finally {
      db.close();
    }
    return compareFiles(from, to, onProgress);
  });
};
