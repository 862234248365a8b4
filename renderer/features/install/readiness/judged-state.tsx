import type { Judged } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { State } from "../../../components/state.tsx";

/** Whether an integration is ready by what is required of it, or how far it is. */
export const JudgedState = ({ of: { ready, met, required } }: { of: Pick<Judged, "ready" | "met" | "required"> }) => (
  <State of={ready ? "done" : "pending"}>{ready ? "ready" : `${met} of ${required} met`}</State>
);
