import type { Side } from "../../../sandbox/contract/control/rows.ts";
import type { StorySentence } from "../../../sandbox/contract/story.ts";
import { SideGlyph, sideClass } from "../../components/side.tsx";
import styles from "./story.module.css";

const sides: readonly Side[] = ["repairer", "supplier"];
/** With more stations, only the current or hovered one shows its title. */
export const MAX_TITLED_STATIONS = 10;
const ROW = 59;
const laneY = (side: Side): number => (side === "repairer" ? ROW / 2 : ROW * 1.5);

/** The lane of each station: its own side's, or the previous one. */
const stationLanes = (sentences: readonly StorySentence[]): Side[] => {
  const lanes: Side[] = [];
  for (const one of sentences) {
    const before = lanes.at(-1) ?? "repairer";
    lanes.push(one.sides.length === 0 || one.sides.includes(before) ? before : (one.sides[0] ?? before));
  }
  return lanes;
};

interface MapProps {
  readonly sentences: readonly StorySentence[];
  /** Index of the current step; the number of steps means the end. */
  readonly at: number;
  readonly onGo: (at: number) => void;
}

/** The order's path between its two sides, highlighted up to the current step. */
export const StoryMap = ({ sentences, at, onGo }: MapProps) => {
  const lanes = stationLanes(sentences);
  const xOf = (index: number): number => ((index + 0.5) / sentences.length) * 100;
  const stateOf = (index: number): string => {
    if (index === at) return styles.now ?? "";
    return index < at ? (styles.done ?? "") : "";
  };
  return (
    <nav
      className={styles.map}
      aria-label="Steps"
      data-many={sentences.length > MAX_TITLED_STATIONS}
      style={{ gridTemplateColumns: `116px repeat(${sentences.length}, minmax(0, 1fr))` }}
    >
      <svg className={styles.lines} viewBox={`0 0 100 ${2 * ROW}`} preserveAspectRatio="none" aria-hidden="true">
        {sentences.slice(1).flatMap(({ number, sides: own }, before) => {
          const lane = lanes[before] ?? "repairer";
          const [x1, x2] = [xOf(before), xOf(before + 1)];
          const middle = (x1 + x2) / 2;
          const isLit = before < at;
          return (own.length === 0 ? [lane] : own).map((side) => {
            const from = sentences[before]?.sides.includes(side) ? side : lane;
            return (
              <path
                key={`${number} ${side}`}
                className={isLit ? sideClass(side) : undefined}
                data-lit={isLit}
                d={`M${x1} ${laneY(from)}C${middle} ${laneY(from)} ${middle} ${laneY(side)} ${x2} ${laneY(side)}`}
              />
            );
          });
        })}
      </svg>
      {sides.map((side, row) => (
        <span key={side} className={`${styles.lane} ${sideClass(side)}`} style={{ gridRow: row + 1, gridColumn: 1 }}>
          <SideGlyph side={side} />
          {side === "repairer" ? "Repairer" : "Supplier"}
        </span>
      ))}
      {sentences.flatMap(({ number, title, say, sides: own }, index) =>
        (own.length === 0 ? [lanes[index] ?? "repairer"] : own).map((side, nth) => (
          <button
            key={`${number} ${side}`}
            type="button"
            tabIndex={nth === 0 ? undefined : -1}
            className={`${styles.station} ${stateOf(index)} ${own.length === 0 ? "" : sideClass(side)}`}
            data-lane={side}
            style={{ gridRow: sides.indexOf(side) + 1, gridColumn: index + 2 }}
            aria-current={index === at ? "step" : undefined}
            aria-label={`${title}. Step ${index + 1}: ${say}`}
            title={title}
            onClick={() => onGo(index)}
          >
            <i />
            <span>{title}</span>
          </button>
        )),
      )}
    </nav>
  );
};
