import type { Side as SideName } from "../../sandbox/contract/control/rows.ts";

/** Returns the CSS class: the contract's repairer is the buyer. */
export const sideClass = (side: SideName): "buyer" | "supplier" => (side === "repairer" ? "buyer" : "supplier");
export const sideWord = (side: SideName): "Buyer" | "Supplier" => (side === "repairer" ? "Buyer" : "Supplier");

const halves = {
  buyer: "M2.5 1H6v10H2.5A1.5 1.5 0 0 1 1 9.5v-7A1.5 1.5 0 0 1 2.5 1Z",
  supplier: "M9.5 1H6v10h3.5A1.5 1.5 0 0 0 11 9.5v-7A1.5 1.5 0 0 0 9.5 1Z",
};

/** The half-filled square: left the buyer, right the supplier. Null draws an open square: no side. */
export const SideGlyph = ({ side, labelled = false }: { side: SideName | null; labelled?: boolean }) => {
  const name = side ? sideClass(side) : null;
  const label = side ? sideWord(side) : "No side";
  return (
    <svg className={`glyph ${name ?? ""}`} viewBox="0 0 12 12" role="img" aria-label={label} aria-hidden={!labelled}>
      <rect x=".75" y=".75" width="10.5" height="10.5" rx="2" fill="none" stroke="currentColor" strokeWidth="1.5" />
      {name && <path d={halves[name]} fill="currentColor" />}
    </svg>
  );
};

/** A side in its hue, with glyph and word. */
export const Side = ({ side, word }: { side: SideName; word?: string }) => (
  <span className={`side ${sideClass(side)}`}>
    <SideGlyph side={side} />
    {word ?? sideWord(side)}
  </span>
);
