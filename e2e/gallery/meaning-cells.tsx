import { Group, Text } from "@mantine/core";
import { BackChip } from "../../renderer/components/chip.tsx";
import { HttpStatus } from "../../renderer/components/http-status.tsx";
import { Id } from "../../renderer/components/id.tsx";
import { KeyHint } from "../../renderer/components/key-hint.tsx";
import { Side, SideGlyph } from "../../renderer/components/side.tsx";
import { State } from "../../renderer/components/state.tsx";
import { Time } from "../../renderer/components/time.tsx";
import { Origin } from "../../renderer/domain/decision/origin.tsx";
import { Operation } from "../../renderer/domain/exchange/operation.tsx";
import { Plate } from "../../renderer/domain/job/plate.tsx";
import { Money } from "../../renderer/domain/procurement/money.tsx";
import { formatBytes, formatMs } from "../../renderer/lib/formatting.ts";
import { Cell, Line } from "./cell.tsx";
import { jobId } from "./samples.ts";

const pills = ["order_requested", "order_confirmed", "cancelled"] as const;
const outcomes = ["estimated", "ordered", "passed", "refused", "skipped", "running"] as const;
const keys = ["g j", "mod+enter", "~", "?"];

export const MeaningCells = () => (
  <>
    <Cell title="Sides and state, plain and as a pill" span={4}>
      <Line>
        <Side side="repairer" />
        <Side side="supplier" />
        <Side side="supplier" word="Meridian" />
        <SideGlyph side={null} labelled />
      </Line>
      <Line>
        {pills.map((name) => (
          <State key={name} of={name} />
        ))}
      </Line>
      <Line>
        {pills.map((name) => (
          <State key={name} of={name} pill />
        ))}
      </Line>
      <Line>
        <State of="delivered" />
        <State of="pending">retrying, 2 failed</State>
        <State of="failed">failed, gave up</State>
      </Line>
      <Line>
        {outcomes.map((name) => (
          <State key={name} of={name} />
        ))}
      </Line>
      <Line>
        <State of="live">Live</State>
        <State of="reconnecting">Reconnecting, 4 s</State>
        <State of="lost">Lost since 11:02</State>
      </Line>
      <Line>
        <HttpStatus status={200} />
        <HttpStatus status={403} />
        <HttpStatus status={503} />
        <HttpStatus status={null} words="timed out" />
        <HttpStatus status={0} />
      </Line>
    </Cell>
    <Cell title="Origin" span={4}>
      <Line>
        <Origin of="contract" />
        <Origin of="extension" />
        <Origin of="assumption" id="D23" />
        <Origin of="assumption" id="D42" switchable />
      </Line>
      <Text component="p" variant="note">
        Line style carries the difference: solid is agreed, dashed is assumed and names its decision, dotted is outside.
        The toggle says it can be switched for this world.
      </Text>
      <Line>
        <Operation id="repairer.jobs.insert" side="repairer" />
        <Operation id="supplier.procurements.confirm" side="supplier" />
      </Line>
      <Line>
        <BackChip label="Show all, not only 8 parts" onClick={() => undefined}>
          8 parts
        </BackChip>
      </Line>
    </Cell>
    <Cell title="Identifiers, plates, money, time, keys" span={4}>
      <Line>
        <Id value={jobId} what="job id" />
        <Text variant="aside">shortened in the middle, copies whole</Text>
      </Line>
      <Line>
        <Id value="TRC-20397" />
      </Line>
      <Line>
        <Plate plate="NKR482" />
        <Plate plate="1XQ7KD" state="VIC" />
        <Plate plate="LK21VBO" />
        <Plate plate={null} />
        <Text variant="code">7A8DK0S1904128461</Text>
      </Line>
      <Line>
        <Money amount="2044.35" currency="NZD" />
        <Money amount="96.20" currency="AUD" />
        <Money amount={null} />
        <span>{formatMs(18.4)}</span>
        <span>{formatMs(1204)}</span>
        <span>{formatBytes(430)}</span>
      </Line>
      <Line>
        {(["precise", "day", "clock"] as const).map((as) => (
          <Time key={as} at="2026-03-11T11:04:22.118Z" as={as} />
        ))}
      </Line>
      <Line>
        {keys.map((one) => (
          <Group key={one} component="span" gap="xs">
            <KeyHint keys={one} />
          </Group>
        ))}
      </Line>
    </Cell>
  </>
);
