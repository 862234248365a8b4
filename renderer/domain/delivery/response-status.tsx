import { HttpStatus } from "../../components/http-status.tsx";
import { attemptOutcome } from "./verdict.ts";

/** A receiver's status. Only 200 counts as success, unlike elsewhere. */
export const ResponseStatus = ({ status, error }: { status: number | null; error: string | null }) =>
  status !== null && status < 300 && attemptOutcome({ response_status: status, error }) === "refused" ? (
    <span className="code2 wait">{status}</span>
  ) : (
    <HttpStatus status={status} error={error} />
  );
