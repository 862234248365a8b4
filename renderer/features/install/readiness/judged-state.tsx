import type { Judged } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { State } from "../../../components/state.tsx";

/** A mark for an integration that meets its plan; otherwise its progress. */
export const JudgedState = ({ of: { ready, met, required } }: { of: Pick<Judged, "ready" | "met" | "required"> }) => (
  <State of={ready ? "done" : "pending"}>{ready ? "ready" : `${met} of ${required} met`}</State>
);
