import { type PartnerCall, partnerPath } from "../../../sandbox/contract/operations/partner-calls.ts";
import { maskHeader } from "../../components/headers-view.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { useWorld } from "../../kernel/world/world.ts";
import { type PartnerKey, partnerHeaders } from "../../lib/service-client.ts";

interface RequestPreviewProps {
  readonly operation: PartnerCall;
  readonly body: unknown;
  /** The credential to send; null for `integrations.insert`, which takes none. */
  readonly credential: PartnerKey | null;
}

/** The request before it is sent, exactly as on the wire except for the masked key. */
export const RequestPreview = ({ operation, body, credential }: RequestPreviewProps) => {
  const world = useWorld();
  const path = partnerPath(operation);
  const base = path.slice(0, path.length - operation.length);
  return (
    <div className="wirebox">
      <div className="code wrapped">
        <span className="ln">
          <span className="p">POST</span> {base}
          <wbr />
          <b>{operation}</b>
        </span>
        {Object.entries(partnerHeaders({ world, key: credential })).map(([name, value]) => (
          <span key={name} className="ln">
            <span className="k">{name}:</span> <span className="s">{maskHeader(name, value)}</span>
          </span>
        ))}
      </div>
      <JsonView value={body} label={`${operation} request body`} lineNumbers={false} />
    </div>
  );
};
