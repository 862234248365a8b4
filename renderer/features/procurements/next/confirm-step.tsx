import { IconSend } from "@tabler/icons-react";
import { type RefObject, useRef } from "react";
import type { KeyedCredential } from "../../../app/acting.ts";
import { Button } from "../../../components/button.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { ConfirmableElsewhere, InstallFor } from "../detail/no-key.tsx";
import type { TwoSides } from "../detail/two-sides.ts";
import type { Move } from "../mutations.ts";
import type { Address } from "../use-address.ts";
import { fillsIn, predictConfirm } from "./predictions.ts";
import { StepRefusal } from "./step-refusal.tsx";
import { WhichKey } from "./which-key.tsx";

const Emits = () => (
  <>
    <span className="row row-1">
      <SideGlyph side="repairer" labelled />
      <span className="m11">repairer.procurements</span>
    </span>
    <span className="row row-1">
      <SideGlyph side="supplier" labelled />
      <span className="m11">supplier.procurements</span>
    </span>
  </>
);

interface Props {
  readonly id: string;
  readonly sides: TwoSides;
  readonly confirm: Move;
  readonly address: Address;
}

const Sendable = ({
  id,
  sides: { buyer, supplier },
  confirm,
  credential,
  form,
}: Omit<Props, "address"> & { credential: KeyedCredential; form: RefObject<HTMLElement | null> }) => {
  const view = supplier.view ?? buyer.view;
  const fills = view && fillsIn(predictConfirm(view, 0));
  const send = () => {
    if (!confirm.isPending) confirm.mutate(credential);
  };
  useSendKey(form, "Procurement", { label: `Confirm as ${supplier.name}`, run: send });
  return (
    <>
      <WhichKey of={supplier} onSend={send} />
      <RequestPreview operation="supplier.procurements.confirm" body={{ identity: { id } }} credential={credential} />
      <KeyValue
        rows={[
          [
            "Fills in",
            <span key="fills">
              {fills ?? "nothing: every field is there"} <Origin of="assumption" id="D52" />
            </span>,
          ],
          ["Emits", <Emits key="emits" />],
        ]}
      />
      <div className="row wrap">
        <Button look="primary" icon={IconSend} keys="mod+enter" busy={confirm.isPending} onClick={send}>
          Send confirm
        </Button>
      </div>
      <StepRefusal move={confirm} />
    </>
  );
};

/** The one step the contract knows, with the request in sight before it is sent. */
export const ConfirmStep = ({ address, ...props }: Props) => {
  const { supplier } = props.sides;
  const form = useRef<HTMLElement>(null);
  return (
    <section
      ref={form}
      className={`procurements-allowed supplier${supplier.credential ? " open" : ""}`}
      aria-label={`Confirm as ${supplier.name}`}
    >
      <div className="procurements-step-head">
        <SideGlyph side="supplier" />
        <h3 className="w6">Confirm as {supplier.name}</h3>
        <Origin of="contract" />
      </div>
      {supplier.credential ? (
        <Sendable {...props} credential={supplier.credential} form={form} />
      ) : (
        !supplier.isLoading && (
          <>
            <p className="t12 t2">
              Only {supplier.organization} may, with a key of scope supplier. The sandbox holds none, so its partner’s
              program has to, or you install one here.
            </p>
            <div className="row wrap">
              <InstallFor of={supplier} />
            </div>
            <ConfirmableElsewhere address={address} />
          </>
        )
      )}
    </section>
  );
};
