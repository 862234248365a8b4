import { vi } from "vitest";

/** Captures this process's output; the runner restores the spies after the test. */
export const keepPrinted = (): { stdout: string; stderr: string } => {
  const printed = { stdout: "", stderr: "" };
  for (const to of ["stdout", "stderr"] as const)
    vi.spyOn(process[to], "write").mockImplementation((text) => {
      printed[to] += String(text);
      return true;
    });
  return printed;
};
