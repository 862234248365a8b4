import type { Declared } from "../../domain/exchange/declarations.ts";

/** Routes that are no operation check what they take by themselves. */
export const isChecked = ({ group, method }: Declared): boolean => group !== "route" && method === "POST";
