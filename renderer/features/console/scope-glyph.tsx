import { SideGlyph } from "../../components/side.tsx";
import type { Scope } from "../../domain/exchange/declarations.ts";
import styles from "./console.module.css";

/** Whose credential an operation takes: a side's, either side's, or none. */
export const ScopeGlyph = ({ scope }: { scope: Scope }) => {
  if (scope === "repairer" || scope === "supplier") return <SideGlyph side={scope} labelled />;
  if (scope === "either")
    return (
      <span className={styles.both} role="img" aria-label="Either side">
        <SideGlyph side="repairer" />
        <SideGlyph side="supplier" />
      </span>
    );
  return (
    <span className={styles.noKey} role="img" aria-label={scope === "control" ? "Control token" : "No credential"} />
  );
};
