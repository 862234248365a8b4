import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { useRemembered } from "../lib/remembered.ts";

interface SplitProps {
  /** Under which name the width is remembered. */
  readonly name: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** What the list is, for the handle's name: "Jobs". */
  readonly label: string;
  readonly initial?: number;
  readonly least?: number;
  readonly most?: number;
}

const parse = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);

/** A list on the left, its detail on the right; the width between them is remembered. */
export const Split = ({ name, list, detail, label, initial = 288, least = 220, most = 560 }: SplitProps) => {
  const [width, setWidth] = useRemembered(`split.${name}`, initial, parse);
  const box = useRef<HTMLDivElement>(null);
  const within = (wanted: number) => Math.round(Math.min(most, Math.max(least, wanted)));
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setWidth(within(event.clientX - (box.current?.getBoundingClientRect().left ?? 0)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowLeft" ? -16 : event.key === "ArrowRight" ? 16 : 0;
    if (by === 0) return;
    event.preventDefault();
    setWidth(within(width + by));
  };
  return (
    <div ref={box} className="split" style={{ gridTemplateColumns: `${within(width)}px minmax(0, 1fr)` }}>
      <div className="list">{list}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is a widget; hr cannot be one */}
      <div
        className="split-handle"
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${label}`}
        tabIndex={0}
        aria-valuenow={within(width)}
        aria-valuemin={least}
        aria-valuemax={most}
        style={{ left: within(width) - 3 }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={onKeyDown}
        onDoubleClick={() => setWidth(initial)}
      />
      <div className="detail">{detail}</div>
    </div>
  );
};

/** The head of a split's list: a title with its count, controls, and a search field below. */
export const ListHead = ({
  title,
  count,
  actions,
  children,
}: {
  title: string;
  count?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) => (
  <div className="head">
    <div className="row">
      <h1 className="t15">{title}</h1>
      {count !== undefined && <span className="t12 t3">{count}</span>}
      <span className="grow" />
      {actions}
    </div>
    {children}
  </div>
);
