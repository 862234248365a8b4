import type { ErrorCode } from "../contract/errors.ts";

/** Refusal of background work, with a reason for its caller. */
export class WorkRefusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Receives the progress of a piece of work, from 0 to 1. */
export type OnProgress = (progress: number) => void;
