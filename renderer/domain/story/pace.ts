/** Duration of a step at normal speed in milliseconds: enough to read its sentence twice. */
export const STEP_MS = 8_000;
