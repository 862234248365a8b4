import type { GivenCredentials } from "../config.ts";
import type { TableDifference } from "../contract/control/compare-operations.ts";
import type { WorldDocument } from "../contract/control/snapshot-rows.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { WorldSummary } from "../storage/service-database.ts";

/** Copies a world's file as it is at a moment, whoever else has it open. */
export interface CopyWork {
  readonly kind: "copy";
  readonly from: string;
  readonly to: string;
}

/** Makes a world's file of a snapshot's. */
export interface RestoreWork {
  readonly kind: "restore";
  readonly from: string;
  readonly to: string;
  /** Of the snapshot. */
  readonly name: string;
}

/** Writes a world, or a snapshot of one, as a document. */
export interface ExportWork {
  readonly kind: "export";
  readonly from: string;
  /** Its name; null: a world, whose file the service has open. */
  readonly snapshot: string | null;
  /** Where its pictures lie. */
  readonly media: string;
  readonly to: string;
  /** Whether keys and secrets are in it. */
  readonly reveal: boolean;
  /** What is masked beside the secrets of the file itself. */
  readonly secrets: readonly string[];
  readonly about: Pick<WorldDocument, "version" | "exported_at" | "world">;
}

/** Makes the file of a snapshot, and its pictures, of a document. */
export interface ImportWork {
  readonly kind: "import";
  /** The body of snapshots.import, as it was sent. */
  readonly from: string;
  readonly to: string;
  /** Where the pictures belong. */
  readonly media: string;
  /** This service's own; null: the documented ones. */
  readonly credentials: GivenCredentials | null;
}

/** Compares a world with another, or with a snapshot. */
export interface CompareWork {
  readonly kind: "compare";
  readonly from: string;
  readonly other: string;
  /** The name of the other world, whose file it reads too; null: it is a snapshot. */
  readonly world: string | null;
  /** The name of the snapshot; null: a world, whose file the service has open. */
  readonly snapshot: string | null;
  /** Where a copy of the snapshot belongs. */
  readonly to: string;
}

/** A piece of work on files, as it is handed to the worker thread. */
export type Work = CopyWork | RestoreWork | ExportWork | ImportWork | CompareWork;
export type WorkKind = Work["kind"];

/** What each kind of work results in, beside the files it makes. */
export interface WorkResults {
  readonly copy: null;
  readonly restore: WorldSummary;
  readonly export: null;
  readonly compare: { readonly tables: TableDifference[]; readonly same: boolean };
  readonly import: { readonly world: string; readonly name: string | undefined; readonly summary: WorldSummary };
}

/** What the worker thread says while it works, and last of all. */
export type FromWorker =
  | { readonly progress: number }
  | { readonly result: WorkResults[WorkKind] }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }
  | { readonly failure: { readonly message: string; readonly code: string | undefined; readonly stack: string } };

/** Why a piece of work is not carried out, for whoever asked for it. */
export class WorkRefusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** How much of a piece of work is done, from 0 to 1. */
export type OnProgress = (progress: number) => void;
