import { Box, EmptyState, Group, Text } from "@mantine/core";
import { IconBolt, IconCheck, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Fault } from "../../../../sandbox/contract/control/fault-operations.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { requestsHref } from "../../../domain/exchange/filter.ts";
import {
  armedFaults,
  faultRemainderText,
  faultsQuery,
  firedText,
  useClearFaults,
} from "../../../domain/fault/faults.ts";
import { useFormAddress } from "../../../kernel/addresses/form-address.ts";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { useNowValue } from "../../../lib/world-clock.ts";
import { WorldPage } from "../world-page.tsx";
import { FaultEditor } from "./fault-editor.tsx";
import { useArmAgain, useArmPreset } from "./queries.ts";
import { faultPresets } from "./ready-made.ts";

interface RowProps {
  readonly fault: Fault;
  /** The description with the integration's name. */
  readonly sentence: string;
  readonly armed: boolean;
  readonly onClear: () => void;
  readonly onAgain: () => void;
}

/** A fault: description, remaining uses and number of hits, with a link to its calls. */
const Row = ({ fault, sentence, armed, onClear, onAgain }: RowProps) => {
  const { name, state, fired, last_fired_at } = fault;
  const left = useNowValue("real", (now) => faultRemainderText(fault, now));
  const named = <span className="sr"> {name ?? sentence}</span>;
  return (
    <Group
      component="li"
      className={`hl ${armed ? "toned wait" : ""}`}
      align="flex-start"
      p="10px 16px"
      style={{ overflowWrap: "anywhere" }}
    >
      <Text c={armed ? "var(--wait)" : "dimmed"} mt={2}>
        <Icon of={armed ? IconBolt : IconCheck} size={16} />
      </Text>
      <Box flex={1} miw={0}>
        <p>
          {name !== null && <b>{name}. </b>}
          <Text {...(name === null && { fw: 500 })}>{sentence}</Text>
        </p>
        <Text component="p" variant="note">
          {armed ? left : state === "used_up" ? "used up" : "expired"}
        </Text>
        {last_fired_at !== null && (
          <Text component="p" variant="note">
            <TextLink href={requestsHref({ faulted: true })}>{firedText(fired)}</TextLink>, last{" "}
            <Time at={last_fired_at} on="real" />
          </Text>
        )}
      </Box>
      <Group component="span" gap="xs" wrap="wrap" align="flex-start" justify="flex-end">
        {!armed && (
          <Button small needs="manage" onClick={onAgain}>
            Arm again{named}
          </Button>
        )}
        <Button small needs="manage" onClick={onClear}>
          {armed ? "Clear" : "Delete"}
          {named}
        </Button>
      </Group>
    </Group>
  );
};

/** Moves the focus before the button disappears with its fault. */
const focusHeading = () => document.querySelector<HTMLElement>("article h2")?.focus();

/** Replaces an integration's ID by its organization's name in a sentence of the service. */
const useNamedSentence = (): ((sentence: string, integrationId: string | null) => string) => {
  const { data } = useCredentials();
  return (sentence, id) => {
    const known = data?.find(({ integration_id }) => integration_id === id);
    return known ? sentence.replace(`the integration ${id}`, known.organization_name) : sentence;
  };
};

const Faults = ({ faults, onOwn }: { faults: readonly Fault[]; onOwn: () => void }) => {
  const clear = useClearFaults(focusHeading);
  const again = useArmAgain();
  const namedSentence = useNamedSentence();
  const ids = useNowValue("real", (now) =>
    armedFaults(faults, now)
      .map(({ id }) => id)
      .join(" "),
  ).split(" ");
  const propsOf = (fault: Fault) => ({
    fault,
    sentence: namedSentence(fault.sentence, fault.integration_id),
    onClear: () => clear.mutate(fault.id),
    onAgain: () => again.mutate(fault),
  });
  const armed = faults.filter(({ id }) => ids.includes(id)).toReversed();
  const over = faults.filter(({ id }) => !ids.includes(id)).toReversed();
  return (
    <>
      <Section
        title="Armed"
        note={armed.length > 0 && "newest first"}
        actions={
          <>
            {faults.length > 1 && (
              <Button small needs="manage" busy={clear.isPending} onClick={() => clear.mutate(null)}>
                Clear all
              </Button>
            )}
            <Button small needs="manage" look="primary" icon={IconPlus} keys="f" onClick={onOwn}>
              New fault
            </Button>
          </>
        }
        ruled={false}
      >
        {armed.length === 0 ? (
          <EmptyState
            icon={<IconBolt />}
            title="No active faults"
            description="Arm a ready-made fault, or create your own. A banner shows while it is active, and each hit appears in the affected call’s trace."
          />
        ) : (
          <ul aria-label="Armed faults">
            {armed.map((fault) => (
              <Row key={fault.id} {...propsOf(fault)} armed />
            ))}
          </ul>
        )}
      </Section>
      {over.length > 0 && (
        <Section title="Ended" note="kept until you delete them or space is needed">
          <ul aria-label="Ended faults">
            {over.map((fault) => (
              <Row key={fault.id} {...propsOf(fault)} armed={false} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
};

const Presets = () => {
  const arm = useArmPreset();
  return (
    <Section title="Ready-made" note="arm with one click" ruled={false}>
      <ul aria-label="Ready-made faults">
        {faultPresets.map((one) => (
          <Group key={one.id} component="li" className="hl" p="7px 16px">
            <Box flex={1}>
              <Text component="b" fw={500}>
                {one.name}
              </Text>
              <Text component="p" variant="note">
                {one.sentence}
              </Text>
            </Box>
            <Button
              small
              icon={IconBolt}
              needs="manage"
              busy={arm.isPending && arm.variables.id === one.id}
              onClick={() => arm.mutate(one)}
            >
              Arm<span className="sr"> {one.name}</span>
            </Button>
          </Group>
        ))}
      </ul>
    </Section>
  );
};

/** The faults of this window's world. */
const CurrentWorldFaults = ({ world }: { world: string }) => {
  const faults = useQuery(faultsQuery(world));
  const form = useFormAddress("fault");
  useKeys("Worlds", [{ keys: ["f"], label: "New fault", needs: "manage", run: form.open }]);
  return (
    <Group wrap="wrap" align="stretch" gap={0} flex="1 0 auto">
      <Box flex="999 1 400px" miw={0}>
        <Read of={faults} what="the faults" rows={4}>
          {(rows) => <Faults faults={rows} onOwn={form.open} />}
        </Read>
      </Box>
      <Box flex="1 1 340px" style={{ borderLeft: "1px solid var(--line)" }}>
        <Presets />
      </Box>
      <Dialog opened={form.opened} onClose={form.close} title="New fault" size={600} isInAddress>
        <FaultEditor onDone={form.close} />
      </Dialog>
    </Group>
  );
};

/** Deliberate failures in a world: armed faults, presets with one click, and custom ones. */
export const FaultsPage = ({ name }: { name: string }) => (
  <WorldPage name={name} of="Faults">
    <CurrentWorldFaults world={name} />
  </WorldPage>
);
