import { Skeleton, Stack } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { useEffect, useState } from "react";

const FLASH_MS = 100;

/** Rows that are on their way. What comes sooner than after 100 ms never flashes. */
export const Loading = ({ what, rows = 3 }: { what: string; rows?: number }) => {
  const [isShown, show] = useState(false);
  const isStill = useReducedMotion();
  useEffect(() => {
    const timer = setTimeout(() => show(true), FLASH_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <Stack className="loading" role="status">
      <span className="sr">Loading {what}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bones have no identity
        <Skeleton key={index} height={12} width={`${82 - ((index * 17) % 40)}%`} animate={!isStill} />
      ))}
    </Stack>
  );
};

/** The same while the code of a part is fetched. */
export const loading =
  (what: string, rows = 3) =>
  () => <Loading what={what} rows={rows} />;
