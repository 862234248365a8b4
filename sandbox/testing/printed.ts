import { vi } from "vitest";

/** What this process prints from now on, kept instead; an ended test's spies are restored by the runner. */
export const keepPrinted = (): { stdout: string; stderr: string } => {
  const printed = { stdout: "", stderr: "" };
  for (const to of ["stdout", "stderr"] as const)
    vi.spyOn(process[to], "write").mockImplementation((text) => {
      printed[to] += String(text);
      return true;
    });
  return printed;
};
