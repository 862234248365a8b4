/** Something that is wrong with what was pasted, and what to do about it. */
export interface Finding {
  /** A word that stays the same, whatever the sentences become. */
  readonly code: string;
  readonly title: string;
  readonly sentence: string;
  readonly mend: string;
}
