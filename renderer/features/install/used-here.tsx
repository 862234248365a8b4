import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../app/acting.ts";
import { sideWord } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";

/** Whether this window calls with the key that was just installed, and how to make it so. */
export const UsedHere = ({ side, integrationId }: { side: Side; integrationId: string }) => {
  const { credential: acting, candidates, choose } = useActAs(side);
  const as = sideWord(side).toLowerCase();
  // Until the list knows the new key there is nothing to say about it.
  if (!acting || !candidates.some(({ integration_id }) => integration_id === integrationId)) return null;
  if (acting.integration_id === integrationId) {
    return <State of="done">This window now calls as the {as} with this key.</State>;
  }
  return (
    <span className="t2">
      This window calls as the {as} with another key, <span className="m11">{acting.key_hint}</span> of{" "}
      {acting.organization_name}.{" "}
      <button type="button" className="lnk" onClick={() => choose(integrationId)}>
        Use this one
      </button>
    </span>
  );
};
