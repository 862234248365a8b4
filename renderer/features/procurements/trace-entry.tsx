import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { Icon } from "../../components/icon.tsx";
import { Operation } from "../../components/operation.tsx";
import { Time } from "../../components/time.tsx";
import { formatMs } from "../../lib/formatting.ts";
import { TraceChain } from "./trace-chain.tsx";

/** One exchange in a line; opened, its chain. */
export const TraceEntry = ({
  request,
  open,
  onToggle,
}: {
  request: RequestRow;
  open: boolean;
  onToggle: () => void;
}) => (
  <li>
    <button
      type="button"
      className={`procurements-trace-row${open ? " open" : ""}`}
      aria-expanded={open}
      onClick={onToggle}
    >
      <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
      <span className="t12 t3">
        <Time at={request.at} as="clock" on="real" />
      </span>
      <Operation id={request.operation ?? request.path} side={request.side} />
      <span className="t12 t2 el">{request.error_code ?? request.outcome}</span>
      <HttpStatus status={request.status} />
      <span className="t12 t3 r">{formatMs(request.duration_ms)}</span>
    </button>
    {open && <TraceChain request={request} />}
  </li>
);
