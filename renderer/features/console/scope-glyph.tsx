import { SideGlyph } from "../../components/side.tsx";
import type { Scope } from "../../domain/exchange/declarations.ts";

const words = { either: "Either side", control: "Control token", none: "No credential" } as const;

/** The credential of an operation: one side's, either's (half each), or none. */
export const ScopeGlyph = ({ scope }: { scope: Scope }) =>
  scope === "repairer" || scope === "supplier" ? (
    <SideGlyph side={scope} labelled />
  ) : (
    <svg className="glyph" viewBox="0 0 12 12" fill="none" role="img" aria-label={words[scope]}>
      {scope === "either" ? (
        <>
          <path d="M6 0H2a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h4z" fill="var(--buyer)" />
          <path d="M6 0h4a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6z" fill="var(--supplier)" />
        </>
      ) : (
        <rect x=".75" y=".75" width="10.5" height="10.5" rx="2" stroke="currentColor" strokeDasharray="2 1.5" />
      )}
    </svg>
  );
