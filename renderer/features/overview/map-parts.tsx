import type { ReactNode } from "react";
import { Link } from "wouter";
import { hasPlace } from "../../app/places.ts";
import { formatCount, formatTotal, type Total } from "../../lib/formatting.ts";

interface NodeProps {
  readonly at: string;
  readonly className: string;
  readonly label: ReactNode;
  /** Undefined while it is not known. */
  readonly count: number | Total | undefined;
  readonly children?: ReactNode;
  readonly place: string;
}

/** A station of the lifecycle with its live count; a link where its place exists. */
export const MapNode = ({ at, className, label, count, children, place }: NodeProps) => {
  const inside = (
    <>
      <span className="l">{label}</span>
      <span className="c">
        {count === undefined ? (
          <span className="t3">–</span>
        ) : typeof count === "number" ? (
          formatCount(count)
        ) : (
          formatTotal(count)
        )}
      </span>
      {children}
    </>
  );
  const style = { gridArea: at };
  return hasPlace(place) ? (
    <Link href={`/${place}`} className={`nd ${className}`} style={style}>
      {inside}
    </Link>
  ) : (
    <div className={`nd ${className}`} style={style}>
      {inside}
    </div>
  );
};

/** A step between two stations: its operation, who may take it, where that comes from. */
export const MapEdge = ({
  at,
  className,
  operation,
  children,
  title,
}: {
  at: string;
  className?: string;
  operation: string;
  children: ReactNode;
  title?: string;
}) => (
  <div className={`e ${className ?? ""}`} style={{ gridArea: at }} title={title}>
    <span className="a">{operation}</span>
    <span className="ln" aria-hidden="true" />
    <span className="b">{children}</span>
  </div>
);

/** Where an event comes from, dropped down to the line of events. */
export const EventDrop = ({
  at,
  className = "",
  children,
}: {
  at: string;
  className?: string;
  children: ReactNode;
}) => (
  <div className={`evd ${className}`} style={{ gridArea: at }}>
    <span>{children}</span>
  </div>
);
