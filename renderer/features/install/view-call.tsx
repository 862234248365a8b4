import { useQuery } from "@tanstack/react-query";
import { exchangeQuery } from "../../domain/exchange/queries.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatMs } from "../../lib/formatting.ts";

/** Opens the wire at a call, with its duration; empty without an ID. */
export const ViewCall = ({ requestId, of }: { requestId: string | null; of: string }) => {
  const showInWire = useUi((state) => state.showInWire);
  const { data } = useQuery({ ...exchangeQuery(useWorld(), requestId ?? ""), enabled: requestId !== null });
  if (requestId === null) return null;
  return (
    <>
      <button type="button" className="lnk" onClick={() => showInWire(requestId)}>
        View call<span className="sr">: {of}</span>
      </button>
      {data && <span>{formatMs(data.duration_ms)}</span>}
    </>
  );
};
