import { useUi } from "../../app/ui-store.ts";

/** Opens the wire at an exchange; nothing when the service gave it no id. */
export const ViewCall = ({ requestId, of }: { requestId: string | null; of: string }) => {
  const showInWire = useUi((state) => state.showInWire);
  if (requestId === null) return null;
  return (
    <button type="button" className="lnk" onClick={() => showInWire(requestId)}>
      View call<span className="sr">: {of}</span>
    </button>
  );
};
