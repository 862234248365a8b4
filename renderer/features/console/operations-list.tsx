import { Box, EmptyState } from "@mantine/core";
import { IconFileImport, IconTerminal } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ListRow } from "../../components/list-row.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { Origin } from "../../domain/decision/origin.tsx";
import {
  type Declared,
  declarationsQuery,
  matchesSearch,
  type OperationGroup,
  operationGroups,
} from "../../domain/exchange/declarations.ts";
import { OperationName } from "../../domain/exchange/operation.tsx";
import { useFormAddress } from "../../kernel/addresses/form-address.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { ListPlace, useListFilter } from "../../kernel/lists/list-place.tsx";
import { late } from "../../lib/late.ts";
import { searchParams, text } from "../../lib/search-params.ts";
import { ScopeGlyph } from "./scope-glyph.tsx";

/** Loads the parsers for commands and files on demand. */
const ImportForm = late(async () => (await import("./import-form.tsx")).ImportForm).Part;

/** Opens the import: from the Console's list, and by its address. */
const ImportButton = () => {
  const { opened, open, close } = useFormAddress("import");
  useKeys("Console", [{ keys: ["i"], label: "Import a call: cURL, HAR", run: open }]);
  return (
    <>
      <Button small icon={IconFileImport} title="A call as cURL or HAR" onClick={open}>
        Import<span className="sr"> a call</span>
      </Button>
      <Dialog opened={opened} onClose={close} title="Import a call" size={720} isInAddress>
        <ImportForm onDone={close} />
      </Dialog>
    </>
  );
};

const params = searchParams({ search: text });

const groupLabels: Readonly<Record<OperationGroup, string>> = {
  contract: "Contract",
  extension: "Extensions",
  route: "Sandbox routes",
  control: "Control plane",
};

const render = ({ title, id, scope, summary }: Declared) => (
  <ListRow
    title={
      <>
        <ScopeGlyph scope={scope} />
        <span className="cut">{title}</span>
      </>
    }
    detail={title === id ? summary : <OperationName name={id} />}
  />
);
const operationGroup = ({ group }: Declared) => group;

/** All operations, searchable by name, fields and errors. */
export const OperationsList = ({ selected, shown }: { selected: string | null; shown: string | null }) => {
  const query = useQuery(declarationsQuery());
  const state = useListFilter(params, "console");
  const search = state.filter.search.trim();
  const found = useMemo(
    () => (query.data ?? []).filter((one) => search === "" || matchesSearch(one, search)),
    [query.data, search],
  );
  const [, navigate] = useLocation();
  const hrefOf = ({ id }: Declared) => hrefs.console(id) + state.query;
  const headOf = (group: string) => {
    const known = operationGroups.find((one) => one === group);
    return (
      known && (
        <>
          {groupLabels[known]} <span className="n">{found.filter((one) => one.group === known).length}</span>
          <Box component="span" flex={1} />
          <Origin of={known === "contract" ? known : "extension"} />
        </>
      )
    );
  };
  return (
    <ListPlace
      of={{ items: found, name: search, read: query }}
      title="Console"
      label="Operations"
      nouns={["operation", "operations"]}
      search={[
        "Search the operations",
        "Name, field or error",
        "Search covers names, summaries, fields and error codes.",
      ]}
      state={state}
      actions={<ImportButton />}
      onEnter={() => search !== "" && found[0] && navigate(hrefOf(found[0]))}
      empty={<EmptyState icon={<IconTerminal />} title="No operations" />}
      hrefOf={hrefOf}
      render={render}
      rowHeight={40}
      groupOf={operationGroup}
      renderGroup={headOf}
      selected={selected}
      marked={shown}
    />
  );
};
