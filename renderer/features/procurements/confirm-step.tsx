import { IconSend } from "@tabler/icons-react";
import { supplierProcurementsConfirm } from "../../../sandbox/contract/operations/partner.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { Button } from "../../components/button.tsx";
import { Refusal } from "../../components/failing.tsx";
import { SelectField } from "../../components/fields.tsx";
import { KeyValue } from "../../components/key-value.tsx";
import { Origin } from "../../components/origin.tsx";
import { RequestPreview } from "../../components/request-preview.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { ServiceFailure, ServiceUnreachable } from "../../lib/service-failure.ts";
import type { useConfirm } from "./mutations.ts";
import { ConfirmableElsewhere, InstallFor } from "./no-key.tsx";
import { fillsIn, predictConfirm } from "./predictions.ts";
import type { SideSeen, TwoSides } from "./two-sides.ts";

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

const WhichKey = ({ of: { keys, credential, chooseKey } }: { of: SideSeen<unknown> }) =>
  keys.length > 1 && credential ? (
    <SelectField
      label="With the key"
      value={credential.integration_id}
      onChange={(id) => id && chooseKey(id)}
      options={keys.map((key) => ({
        value: key.integration_id,
        label: `${key.key_hint}${key.preloaded ? ", pre-loaded" : ", installed"}`,
      }))}
    />
  ) : null;

interface Props {
  readonly sides: TwoSides;
  readonly confirm: ReturnType<typeof useConfirm>;
}

const Sendable = ({ sides: { buyer, supplier }, confirm, credential }: Props & { credential: KeyedCredential }) => {
  const view = supplier.view ?? buyer.view;
  const fills = view && fillsIn(predictConfirm(view, 0));
  const send = () => {
    if (!confirm.isPending) confirm.mutate(credential);
  };
  useKeys("Procurement", [{ keys: ["mod+enter"], label: `Confirm as ${supplier.name}`, run: send }]);
  const failure = confirm.data?.failure ?? (confirm.error instanceof ServiceFailure ? confirm.error : null);
  const body = view && { identity: { id: view.id } };
  return (
    <>
      <WhichKey of={supplier} />
      {body && <RequestPreview operation={supplierProcurementsConfirm} body={body} credential={credential} />}
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
      {failure && !confirm.isPending && (
        <Refusal failure={failure}>
          {failure instanceof ServiceUnreachable && (
            <span className="t12 t2">Whether it was carried out shows here once the connection is back.</span>
          )}
        </Refusal>
      )}
    </>
  );
};

/** The one step the contract knows, with the request in sight before it is sent. */
export const ConfirmStep = (props: Props) => {
  const { supplier } = props.sides;
  return (
    <section
      className={`procurements-allowed supplier${supplier.credential ? " open" : ""}`}
      aria-label={`Confirm as ${supplier.name}`}
    >
      <div className="procurements-step-head">
        <SideGlyph side="supplier" />
        <h3 className="w6">Confirm as {supplier.name}</h3>
        <Origin of="contract" />
      </div>
      {supplier.credential ? (
        <Sendable {...props} credential={supplier.credential} />
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
            <ConfirmableElsewhere />
          </>
        )
      )}
    </section>
  );
};
