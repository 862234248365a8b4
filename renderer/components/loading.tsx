import { useEffect, useState } from "react";

const FLASH_MS = 100;

/** Rows that are on their way. What comes sooner than after 100 ms never flashes. */
export const Loading = ({ what, rows = 3 }: { what: string; rows?: number }) => {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), FLASH_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div className="stack loading" role="status">
      <span className="sr">Loading {what}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bones have no identity
        <span key={index} className="bone" style={{ width: `${82 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
};

/** The same while the code of a part is fetched. */
export const loading =
  (what: string, rows = 3) =>
  () => <Loading what={what} rows={rows} />;
