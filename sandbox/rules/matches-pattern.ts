import vm from "node:vm";

/** So long a pattern may look at a text: one that is written to never end would hold everything else up. */
export const MOST_MATCHING_MS = 1_000;

const place = vm.createContext({ pattern: "", text: "" });
const test = new vm.Script('new RegExp(pattern, "u").test(text)');

/** Whether a text matches a regular expression that comes from a file; one that takes too long does not. */
export const matchesPattern = (pattern: string, text: string): boolean => {
  Object.assign(place, { pattern, text });
  try {
    return test.runInContext(place, { timeout: MOST_MATCHING_MS }) === true;
  } catch (error) {
    // It may be an error of the other context.
    if (Reflect.get(Object(error), "code") === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  }
};
