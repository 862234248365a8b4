import { useEffect, useState } from "react";

/** True once `ms` have passed: what comes sooner than that never flashes. */
export const useLater = (ms = 100): boolean => {
  const [later, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return later;
};

/** Rows that are on their way; shown only after 100 ms. */
export const Loading = ({ what, rows = 3 }: { what: string; rows?: number }) => {
  if (!useLater()) return null;
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
