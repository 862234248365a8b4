import { Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { Id } from "../../renderer/components/id.tsx";
import { Facts, KeyValue } from "../../renderer/components/key-value.tsx";
import { Arrived, List } from "../../renderer/components/list.tsx";
import { ListRow } from "../../renderer/components/list-row.tsx";
import { PlaceHead, Toolbar } from "../../renderer/components/section.tsx";
import { State } from "../../renderer/components/state.tsx";
import { Plate } from "../../renderer/domain/job/plate.tsx";
import { SearchField } from "../../renderer/kernel/lists/search-field.tsx";
import { ListBesideDetail } from "../../renderer/kernel/place/list-beside-detail.tsx";
import { Cell } from "./cell.tsx";
import { jobId, type SampleJob, sampleJobs } from "./samples.ts";

const rowKey = (job: SampleJob) => job.id;
const rowHref = (job: SampleJob) => `/gallery?job=${job.id}`;

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
                keyOf={rowKey}
                hrefOf={rowHref}
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
    <TabsCell />
    <Lists />
  </>
);
