import type { ReactNode } from "react";
import { Side } from "../../components/side.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { type ShownSides, useInstall } from "./install-store.ts";

const sides: ReadonlyArray<{ value: ShownSides; label: ReactNode }> = [
  { value: "repairer", label: <Side side="repairer" /> },
  { value: "supplier", label: <Side side="supplier" /> },
  { value: "both", label: "Both" },
];

/** One install at a time, or both sides beside each other. */
export const SideChoice = () => {
  const { shown, show } = useInstall();
  return <Segmented label="Install as" options={sides} value={shown} onChange={show} />;
};
