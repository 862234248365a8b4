import { Group, Radio, Stack, Text } from "@mantine/core";
import { IconBan, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { SideGlyph, Side as SideName } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { useKeys, useSendKey } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { Breakable } from "../../../domain/exchange/breakable.tsx";
import { RequestPreview } from "../../../domain/exchange/request-preview.tsx";
import { VerdictOn } from "../../../domain/trace/verdict-note.tsx";
import { CONFIRMING } from "../../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { filledFields } from "../fields/words.ts";
import { type Move, type MoveOperation, useResponseInView } from "../mutations.ts";
import { previewQuery } from "../preview.ts";
import { InstallFor, type SideView, type TwoSides } from "../two-sides.tsx";

/** The service's reason for refusing a step; empty while pending or after a success. */
const StepRefusal = ({ move }: { move: Move }) => {
  const failure = move.data?.failure ?? (move.error instanceof ServiceFailure ? move.error : null);
  const box = useResponseInView<HTMLDivElement>(move);
  if (!failure || move.isPending) return null;
  return (
    <Stack ref={box}>
      <Refusal failure={failure} />
      {failure.requestId && <VerdictOn id={failure.requestId} />}
    </Stack>
  );
};

const TwoEvents = () =>
  (["repairer", "supplier"] as const).map((side) => (
    <Group key={side} component="span" gap="xs">
      <SideGlyph side={side} labelled />
      <Text variant="mono">
        <Breakable code={`${side}.procurements`} />
      </Text>
    </Group>
  ));

interface SendProps {
  readonly verb: "confirm" | "cancel";
  readonly operation: MoveOperation;
  /** The side whose key is sent. */
  readonly by: SideView;
  readonly move: Move;
  readonly form: RefObject<HTMLElement | null>;
  /** True if the step handles the send shortcut. */
  readonly isOpen: boolean;
  /** The consequences. */
  readonly rows: ComponentProps<typeof KeyValue>["rows"];
  /** Instructions without a key. */
  readonly missing: ReactNode;
  readonly children?: ReactNode;
}

/** The preview of the request, its consequences, and the send button; or a link to install the missing key. */
const Send = ({ verb, operation, by, move, form, isOpen, rows, missing, children }: SendProps) => {
  const { credential } = by;
  const send = () => {
    if (credential !== null && !move.isPending) move.mutate(credential);
  };
  const label = `${verb === "confirm" ? "Confirm" : "Cancel"} as ${by.name}`;
  useSendKey(form, "Order", { label, acts: true, enabled: isOpen && credential !== null, run: send });
  if (credential === null) return missing;
  return (
    <>
      <RequestPreview operation={operation} body={{ identity: { id: by.about.id } }} credential={credential} />
      <KeyValue rows={rows} />
      <Group wrap="wrap">
        <Button
          {...(verb === "confirm" ? { look: "primary", icon: IconSend } : { look: "danger", icon: IconBan })}
          {...(isOpen && { keys: "mod+enter", acts: true })}
          busy={move.isPending}
          onClick={send}
        >
          {verb === "confirm" ? "Confirm" : "Cancel"} order
        </Button>
        {children}
      </Group>
    </>
  );
};

interface ConfirmProps {
  readonly supplier: SideView;
  readonly confirm: Move;
  readonly isOpen: boolean;
  /** True if everything above has loaded. */
  readonly isSettled: boolean;
  readonly onOpen: () => void;
}

/** The contract's only transition, with a preview of the request. */
export const ConfirmStep = ({ supplier, confirm, isOpen, isSettled, onOpen }: ConfirmProps) => {
  const form = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const { data: changes } = useQuery(previewQuery(useWorld(), supplier.about));
  const goTo = () => {
    onOpen();
    title.current?.focus();
  };
  useKeys("Order", [{ keys: ["c"], label: "Go to Confirm", run: goTo }]);
  const openIfRequested = useEffectEvent(() => {
    const { hash, pathname } = window.location;
    if (hash !== CONFIRMING || !isSettled || pathname.split("/")[2] !== supplier.about.id) return;
    onOpen();
    // In a narrow window the form is below the fields, which move it while they load.
    form.current?.scrollIntoView({ block: "nearest" });
    title.current?.focus({ preventScroll: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the target exists only once everything is loaded
  useEffect(() => openIfRequested(), [isSettled]);
  useEffect(() => {
    // If the order is already open, a link to its confirmation changes only the address's fragment and renders nothing.
    const gone = new AbortController();
    for (const event of ["pushState", "hashchange"]) window.addEventListener(event, () => openIfRequested(), gone);
    return () => gone.abort();
  }, []);
  return (
    <Stack
      ref={form}
      component="section"
      className={`hl${supplier.credential ? " toned supplier" : ""}`}
      p="10px 16px 12px"
      aria-label={`Confirm as ${supplier.name}`}
    >
      <Group align="baseline">
        <SideGlyph side="supplier" />
        <Text ref={title} tabIndex={-1} component="h3" flex={1} miw={0} fw={600}>
          Confirm as {supplier.name}
        </Text>
      </Group>
      <Send
        verb="confirm"
        operation="supplier.procurements.confirm"
        by={supplier}
        move={confirm}
        form={form}
        isOpen={isOpen}
        rows={[
          [
            "Sets",
            <span key="fills">
              {changes && (filledFields(changes) ?? "nothing, all fields are set")} <Origin of="assumption" id="D52" />
            </span>,
          ],
          ["Creates events", <TwoEvents key="events" />],
        ]}
        missing={
          !supplier.isLoading && (
            <>
              <Text component="p" variant="note">
                Only {supplier.organization} can confirm this order, and you have no key for it. Install one, or confirm
                from the supplier’s own program.
              </Text>
              <InstallFor of={supplier} />
            </>
          )
        }
      >
        <Origin of="contract" />
      </Send>
      <StepRefusal move={confirm} />
    </Stack>
  );
};

interface CancelProps {
  readonly sides: TwoSides;
  readonly cancel: Move;
  readonly shown: boolean;
  readonly onShown: (shown: boolean) => void;
}

/** Cancels an order that is requested, as either side. An extension, so it is collapsed by default. */
export const CancelStep = ({ sides, cancel, shown, onShown }: CancelProps) => {
  const [side, setSide] = useState<Side>(
    sides.buyer.credential === null && sides.supplier.credential ? "supplier" : "repairer",
  );
  const by = side === "repairer" ? sides.buyer : sides.supplier;
  const section = useRef<HTMLDivElement>(null);
  const toggle = () => {
    // Moves the focus before its element disappears.
    if (shown) section.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();
    onShown(!shown);
  };
  useEffect(() => {
    if (!shown) return;
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.querySelector<HTMLElement>("[type=radio]:checked")?.focus();
  }, [shown]);
  useKeys("Order", [{ keys: ["x"], label: shown ? "Close the cancel preview" : "Preview cancel", run: toggle }]);
  return (
    <Stack
      ref={section}
      component="section"
      className="hl"
      p="10px 16px 12px"
      bg={shown ? "var(--sunken)" : "none"}
      aria-label="Cancel as either side"
    >
      <Group gap="xs" align="baseline">
        <SideGlyph side="repairer" />
        <SideGlyph side="supplier" />
        <Text component="h3" flex={1} miw={0} fw={600}>
          Cancel as either side
        </Text>
        <Button small expanded={shown} onClick={toggle}>
          {shown ? "Close" : "Preview"}
        </Button>
      </Group>
      {shown && (
        <>
          <Radio.Group aria-label="Cancel as" value={side} onChange={setSide}>
            <Radio value="repairer" label={<SideName side="repairer" word={`As ${sides.buyer.organization}`} />} />
            <Radio value="supplier" label={<SideName side="supplier" word={`As ${sides.supplier.name}`} />} />
          </Radio.Group>
          <Send
            verb="cancel"
            operation="procurements.cancel"
            by={by}
            move={cancel}
            form={section}
            isOpen
            rows={[
              ["Sets", <State key="sets" of="cancelled" />],
              [
                "Parts",
                <span key="parts">
                  set to estimated, unless another order includes them <Origin of="assumption" id="D42" switchable />
                </span>,
              ],
              [
                "Creates events",
                <span key="events">
                  none, because events have no cancelled status <Origin of="assumption" id="D74" />
                </span>,
              ],
            ]}
            missing={
              <>
                <Text component="p" variant="note">
                  You have no key for {by.organization}. Install one, or cancel as the other side.
                </Text>
                <InstallFor of={by} />
              </>
            }
          >
            <Origin of="extension" />
            <Text variant="note">Cancelled orders are final.</Text>
          </Send>
        </>
      )}
      <StepRefusal move={cancel} />
    </Stack>
  );
};
