import { Table, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { HttpStatus } from "../../renderer/components/http-status.tsx";
import { Id } from "../../renderer/components/id.tsx";
import { Facts, KeyValue } from "../../renderer/components/key-value.tsx";
import { TextLink } from "../../renderer/components/link.tsx";
import { Arrived, List } from "../../renderer/components/list.tsx";
import { ListBesideDetail } from "../../renderer/components/list-beside-detail.tsx";
import { ListRow } from "../../renderer/components/list-row.tsx";
import { Operation } from "../../renderer/components/operation.tsx";
import { Plate } from "../../renderer/components/plate.tsx";
import { SearchField } from "../../renderer/components/search-field.tsx";
import { PlaceHead, Toolbar } from "../../renderer/components/section.tsx";
import { State } from "../../renderer/components/state.tsx";
import { Time } from "../../renderer/components/time.tsx";
import { formatMs } from "../../renderer/lib/formatting.ts";
import { Cell } from "./cell.tsx";
import { jobId, type SampleJob, sampleJobs, selectedTrace, traces } from "./samples.ts";

const keyOf = (job: SampleJob) => job.id;
const hrefOf = (job: SampleJob) => `/gallery?job=${job.id}`;

const renderJob = (job: SampleJob) => (
  <ListRow
    title={
      <>
        {job.number} <Plate plate={job.plate} state={job.state} />
      </>
    }
    aside="6 min"
    detail={job.where}
    state={<State of={job.stage} />}
  />
);

const Lists = () => {
  const [search, setSearch] = useState("");
  const shown = search
    ? sampleJobs.filter((job) => `${job.number} ${job.plate}`.toLowerCase().includes(search.toLowerCase()))
    : sampleJobs;
  return (
    <Cell title="A hundred thousand rows beside a detail" span={7} flush>
      <div className="gallery-split">
        <ListBesideDetail
          name="gallery"
          label="Sample jobs"
          list={
            <>
              <div className="head">
                <h1>Jobs</h1>
                <SearchField
                  label="Filter sample jobs"
                  placeholder="Plate or number"
                  value={search}
                  onChange={setSearch}
                />
              </div>
              <List
                of={{ items: shown, name: search }}
                label="Sample jobs"
                what="the sample jobs"
                empty={null}
                keyOf={keyOf}
                hrefOf={hrefOf}
                selected="job-2"
                render={renderJob}
              />
            </>
          }
          detail={
            <>
              <PlaceHead title="J-20418" note="a detail" />
              <Toolbar label="Sample tools">
                <Text variant="note">A toolbar</Text>
              </Toolbar>
              <div className="gallery-pad">
                <KeyValue
                  rows={[
                    ["Site", "Tarn & Rowe, Penrose"],
                    ["Claim", "LRM-7730452"],
                    null,
                    ["Id", <Id key="id" value={jobId} />],
                  ]}
                />
              </div>
            </>
          }
        />
      </div>
    </Cell>
  );
};

const TabsCell = () => {
  const [tab, setTab] = useState<string | null>("basket");
  return (
    <Cell title="Facts, tabs, new rows" span={5} flush>
      <div className="gallery-pad">
        <Facts
          rows={[
            ["Site", "Tarn & Rowe, Penrose"],
            ["Work provider", "Longreach Mutual"],
            ["Claim", "LRM-7730452"],
            ["Id", <Id key="id" value={jobId} />],
          ]}
        />
      </div>
      <Tabs value={tab} onChange={setTab}>
        <Tabs.List aria-label="Sample job">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="parts">
            Parts <span className="n">8</span>
          </Tabs.Tab>
          <Tabs.Tab value="basket">
            Basket <span className="n">22</span>
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab ?? "basket"}>
          <Text component="div" variant="note" className="gallery-pad">
            The panel of “{tab}”.
          </Text>
        </Tabs.Panel>
      </Tabs>
      <div className="gallery-arrived">
        <Text component="div" variant="note" className="gallery-pad">
          Rows that are being read stay where they are.
        </Text>
        <Arrived count="12" onShow={() => undefined} />
      </div>
    </Cell>
  );
};

export const ListCells = () => (
  <>
    <Cell title="Rows: rest and selected" span={7} flush>
      <Table aria-label="Sample traces">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={84}>Time</Table.Th>
            <Table.Th w="44%">Operation</Table.Th>
            <Table.Th>Touched</Table.Th>
            <Table.Th w={84} ta="right">
              Took
            </Table.Th>
            <Table.Th w={80}>Status</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {traces.map((row) => (
            <Table.Tr key={row.at} className={row.at === selectedTrace ? "sel" : ""}>
              <Table.Td>
                <Text variant="aside">
                  <Time at={row.at} as="clock" />
                </Text>
              </Table.Td>
              <Table.Td>
                <Operation id={row.operation} side={row.side} />
              </Table.Td>
              <Table.Td>
                <TextLink href="/gallery">{row.touched}</TextLink>
              </Table.Td>
              <Table.Td ta="right">
                <Text c="secondary">{formatMs(row.ms)}</Text>
              </Table.Td>
              <Table.Td>
                <HttpStatus status={row.status} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Cell>
    <TabsCell />
    <Lists />
  </>
);
