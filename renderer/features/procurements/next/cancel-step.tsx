import { IconBan } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { SideGlyph, Side as SideName } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { InstallFor } from "../detail/no-key.tsx";
import type { SideSeen, TwoSides } from "../detail/two-sides.ts";
import type { Move } from "../mutations.ts";
import { StepRefusal } from "./step-refusal.tsx";
import { WhichKey } from "./which-key.tsx";

interface Props {
  readonly id: string;
  readonly sides: TwoSides;
  readonly cancel: Move;
}

const Sendable = ({ id, seen, cancel }: { id: string; seen: SideSeen<unknown>; cancel: Move }) => {
  const { credential } = seen;
  if (credential === null) {
    return (
      <>
        <p className="t12 t2">No key of {seen.organization} is here, so that the other side or its program has to.</p>
        <div className="row wrap">
          <InstallFor of={seen} />
        </div>
      </>
    );
  }
  return (
    <>
      <WhichKey of={seen} />
      <RequestPreview operation="procurements.cancel" body={{ identity: { id } }} credential={credential} />
      <KeyValue
        rows={[
          ["Sets", <State key="sets" of="cancelled" />],
          [
            "Parts",
            <span key="parts">
              estimated again, unless another order covers them <Origin of="assumption" id="D42" switchable />
            </span>,
          ],
          [
            "Emits",
            <span key="emits">
              nothing: events have no such status <Origin of="assumption" id="D74" />
            </span>,
          ],
        ]}
      />
      <div className="row wrap">
        <Button look="danger" icon={IconBan} busy={cancel.isPending} onClick={() => cancel.mutate(credential)}>
          Send cancel
        </Button>
        <span className="t12 t2">Nothing leads back.</span>
      </div>
    </>
  );
};

/** A way out of order_requested that either side has; outside the contract, and so closed until it is asked for. */
export const CancelStep = ({ id, sides, cancel }: Props) => {
  const [shown, setShown] = useState(false);
  const [side, setSide] = useState<Side>(
    sides.buyer.credential === null && sides.supplier.credential ? "supplier" : "repairer",
  );
  const seen = side === "repairer" ? sides.buyer : sides.supplier;
  const section = useRef<HTMLElement>(null);
  const toggle = () => setShown(!shown);
  useEffect(() => {
    if (shown) section.current?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  useKeys("Procurement", [{ keys: ["x"], label: shown ? "Put the cancel away" : "Preview a cancel", run: toggle }]);
  return (
    <section
      ref={section}
      className={`procurements-allowed${shown ? " cancelling" : ""}`}
      aria-label="Cancel, from either side"
    >
      <div className="procurements-step-head two">
        <span className="row row-1">
          <SideGlyph side="repairer" />
          <SideGlyph side="supplier" />
        </span>
        <h3 className="w6">Cancel, either side</h3>
        <Origin of="extension" />
        <Button small expanded={shown} onClick={toggle}>
          {shown ? "Close" : "Preview"}
        </Button>
      </div>
      {shown && (
        <>
          <Segmented
            label="Cancel as"
            value={side}
            onChange={setSide}
            options={[
              { value: "repairer", label: <SideName side="repairer" word={`As ${sides.buyer.organization}`} /> },
              { value: "supplier", label: <SideName side="supplier" word={`As ${sides.supplier.name}`} /> },
            ]}
          />
          <Sendable id={id} seen={seen} cancel={cancel} />
        </>
      )}
      <StepRefusal move={cancel} />
    </section>
  );
};
