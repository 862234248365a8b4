import type { ErrorCode } from "../contract/errors.ts";

/** Why a piece of work on whole worlds is not carried out, for whoever asked for it. */
export class WorkRefusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Is told how much of a piece of work is done, from 0 to 1. */
export type OnProgress = (progress: number) => void;
