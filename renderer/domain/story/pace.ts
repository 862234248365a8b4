/** So long a step stays at its usual speed: long enough to read its sentence twice. */
export const STEP_MS = 8_000;
