import { Checkbox, Group, Menu, Radio, SegmentedControl, Stack, Switch } from "@mantine/core";
import { IconCopy, IconDots, IconFilter, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Button, IconButton, LinkButton } from "../../renderer/components/button.tsx";
import { CopyButton } from "../../renderer/components/copy-button.tsx";
import { TextField } from "../../renderer/components/fields.tsx";
import { NumberField } from "../../renderer/components/number-field.tsx";
import { SelectField } from "../../renderer/components/select-field.tsx";
import { TextAreaField } from "../../renderer/components/text-area-field.tsx";
import { Origin } from "../../renderer/domain/decision/origin.tsx";
import { SearchField } from "../../renderer/kernel/lists/search-field.tsx";
import { Cell, Line } from "./cell.tsx";

const nothing = () => undefined;
const names = "Penrose Moorabbin Croydon Albany Botany Henderson Takapuna Newmarket Onehunga".split(" ");
const sites = names.map((name) => ({ value: name, label: name }));
const views = [
  { value: "text", label: "Text" },
  { value: "hex", label: "Hex" },
  { value: "json", label: "JSON" },
] as const;

const Buttons = () => {
  const [view, setView] = useState<(typeof views)[number]["value"]>("hex");
  return (
    <Cell title="Buttons: rest, off, busy, small" span={5}>
      <Line>
        <Button look="primary" keys="mod+enter">
          Place 3 orders
        </Button>
        <Button look="primary" busy>
          Sending
        </Button>
        <Button look="primary" disabled>
          Off
        </Button>
      </Line>
      <Line>
        <Button icon={IconPencil} keys="e">
          Edit
        </Button>
        <Button disabled>Off</Button>
        <Button look="quiet">Quiet</Button>
        <Button look="danger" icon={IconTrash}>
          Delete world
        </Button>
      </Line>
      <Line>
        <Button small>Small</Button>
        <LinkButton small look="quiet" icon={IconCopy} href="/gallery">
          A link
        </LinkButton>
        <Menu>
          <Menu.Target>
            <IconButton look="default" icon={IconDots} label="More" />
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Job</Menu.Label>
            <Menu.Item>Copy as cURL</Menu.Item>
            <Menu.Item>Open in a second window</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <IconButton small look="default" icon={IconFilter} label="Filter" pressed />
        <CopyButton text="abc" what="the sample" />
        <CopyButton text="abc" what="the sample" label="Copy" />
        <SegmentedControl aria-label="View" value={view} onChange={setView} data={[...views]} />
      </Line>
    </Cell>
  );
};

const Inputs = () => {
  const [number, setNumber] = useState("J-20418");
  const [site, setSite] = useState<string | null>("Penrose");
  const [search, setSearch] = useState("");
  const [count, setCount] = useState<number | null>(2);
  return (
    <Cell title="Inputs" span={4}>
      <TextField
        label="job_number"
        value={number}
        onChange={setNumber}
        hint={
          <>
            Unique per repairer site <Origin of="contract" />
          </>
        }
      />
      <TextField
        label="chassis_number"
        mono
        value="7A8DK0S19O4128461"
        onChange={nothing}
        error="Has the letter O, which a chassis number never has"
      />
      <Group className="gallery-pair">
        <SelectField label="Site" value={site} onChange={setSite} options={sites} />
        <NumberField label="Quantity" value={count} onChange={setCount} />
      </Group>
      <TextAreaField
        label="note"
        value=""
        placeholder="Anything the supplier should know"
        onChange={nothing}
        rows={2}
      />
      <TextField label="claim_number" value="LRM-7730452" onChange={nothing} disabled />
      <SearchField label="Filter the sample" placeholder="Plate, number, claim" value={search} onChange={setSearch} />
    </Cell>
  );
};

const Choices = () => (
  <Cell title="Choices" span={3}>
    <Checkbox label="Bonnet" defaultChecked />
    <Checkbox label="Guard, front right" description="no offer" />
    <Checkbox label="All parts" indeterminate />
    <Checkbox label="Off" disabled />
    <Radio.Group label="if_.exists" defaultValue="update">
      <Stack>
        <Radio value="update" label="update" description="keys present are written" />
        <Radio value="replace" label="replace" description="absent keys become null" />
      </Stack>
    </Radio.Group>
    <Switch label="Pin this world" defaultChecked />
    <Switch label="Reveal secrets" />
  </Cell>
);

export const ControlCells = () => (
  <>
    <Buttons />
    <Inputs />
    <Choices />
  </>
);
