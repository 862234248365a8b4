import type { RequiredCheck } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";

/** The label of an open requirement. */
export const nextTitle = ({ kind, name }: RequiredCheck): string => {
  if (kind === "operation" || kind === "subscription") return operationTitle(name);
  const drill = drillNames.find((one) => kind === "drill" && one === name);
  return drill ? drills[drill].title : name;
};
