import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { useWorld } from "../../../app/world.ts";
import { explanationQuery } from "../../../domain/trace/queries.ts";
import type { Move } from "../mutations.ts";

/** Where an answer stands: it is brought into view when it comes, and again when why it was refused is known. */
export const useShownAnswer = <E extends HTMLElement>({ data, error }: Move): RefObject<E | null> => {
  const box = useRef<E>(null);
  const { data: explained } = useQuery(explanationQuery(useWorld(), data?.failure ? data.requestId : null));
  useEffect(() => {
    if (data ?? error ?? explained) box.current?.scrollIntoView({ block: "nearest" });
  }, [data, error, explained]);
  return box;
};
