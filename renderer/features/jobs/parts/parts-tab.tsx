import { Box } from "@mantine/core";
import { IconPlus, IconTool } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Id } from "../../../components/id.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Toolbar } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { Table } from "../../../components/table.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { plural } from "../../../lib/formatting.ts";
import { usePageParams } from "../address.ts";
import jobs from "../jobs.module.css";
import { partsQuery } from "../queries.ts";
import { type AddingBy, AddParts } from "./add-parts.tsx";

const absent = <span className="t3 m11">null</span>;
const mono = (value: string | null) =>
  value === null ? (
    absent
  ) : (
    <span className="m11" title={value}>
      {value}
    </span>
  );

const PartTable = ({ parts }: { parts: readonly Part[] }) => (
  <Table
    caption="Parts of this job, in the order they were inserted"
    rows={parts}
    rowKey={(part) => part.id}
    columns={[
      {
        key: "description",
        head: "description",
        cell: (part) =>
          part.description === "" ? (
            <span className="t3">empty description</span>
          ) : (
            <span title={part.description}>{part.description}</span>
          ),
      },
      { key: "status", head: "status", width: "104px", cell: (part) => <State of={part.status} /> },
      { key: "ghca", head: "ghca_id", width: "112px", cell: (part) => mono(part.ghca_id) },
      {
        key: "note",
        head: "note",
        width: "22%",
        cell: (part) => (part.note === null ? absent : <span title={part.note}>{part.note}</span>),
      },
      { key: "external", head: "external_id", width: "124px", cell: (part) => mono(part.external_id) },
      { key: "id", head: "id", width: "132px", cell: (part) => <Id value={part.id} what="part ID" /> },
    ]}
  />
);

/** What the columns mean, and what the contract does not send back. */
const Remarks = () => (
  <div className={`${jobs.pad} ${jobs.remarks}`}>
    <Note>
      The API accepts a quantity with a new part but doesn’t return it. The basket shows it for parts with an offer.{" "}
      <Origin of="contract" />
    </Note>
    <Note>
      ghca_id comes from the sandbox’s catalogue, matched by description. Unknown parts get null.{" "}
      <Origin of="assumption" id="D41" /> A part is ordered while it has an order that isn’t cancelled.{" "}
      <Origin of="assumption" id="D42" switchable />
    </Note>
  </div>
);

/** The parts of a job, and two ways to add some. */
export const PartsTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const query = useQuery(partsQuery(useWorld(), row.id, credential));
  // Whoever comes to add parts finds the form open.
  const { add } = usePageParams();
  const [adding, setAddingBy] = useState<AddingBy | null>(add ? "form" : null);
  const [asked, setAsked] = useState(0);
  /** Asked for again while it is open, it takes the focus again: what is typed next must not be taken for keys of the page. */
  const setAdding = (by: AddingBy | null) => {
    setAddingBy(by);
    setAsked((times) => times + 1);
  };
  useKeys("Job", [{ keys: ["a"], label: "Add parts", run: () => setAdding("form") }]);
  return (
    <Read of={query} what="the parts" rows={6}>
      {(data) => {
        const parts = data.items;
        const ordered = parts.filter(({ status }) => status === "ordered").length;
        return (
          <div className={`scroll ${jobs.panel}`}>
            <Toolbar label="Parts">
              <span className="t12 t2">
                {plural(parts.length, "part")}
                {ordered > 0 && `, ${ordered} ordered`}
              </span>
              <span className="grow" />
              {parts.length > 0 && (
                <LinkButton small look="quiet" href={hrefs.job(row.id, "basket")}>
                  Open basket
                </LinkButton>
              )}
              <Button small look="quiet" onClick={() => setAdding("list")}>
                Paste a list
              </Button>
              <Button small icon={IconPlus} keys="a" onClick={() => setAdding("form")}>
                Add parts
              </Button>
            </Toolbar>
            {adding && (
              <AddParts
                jobId={row.id}
                credential={credential}
                by={adding}
                asked={asked}
                onBy={setAdding}
                onClose={() => setAdding(null)}
              />
            )}
            {parts.length > 0 ? (
              <>
                <div className="scroll">
                  <Box miw={860}>
                    <PartTable parts={parts} />
                  </Box>
                </div>
                <Remarks />
              </>
            ) : (
              !adding && (
                <NothingYet
                  icon={IconTool}
                  title="No parts yet"
                  actions={
                    <>
                      <Button small look="primary" icon={IconPlus} keys="a" onClick={() => setAdding("form")}>
                        Add parts
                      </Button>
                      <Button small onClick={() => setAdding("list")}>
                        Paste a list
                      </Button>
                    </>
                  }
                >
                  Add parts to get offers in the basket. Suppliers match parts by description.
                </NothingYet>
              )
            )}
          </div>
        );
      }}
    </Read>
  );
};
