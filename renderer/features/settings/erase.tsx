import { List, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refused } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form, Submit } from "../../components/form.tsx";
import { scenariosQuery } from "../../domain/scenario/keeping.ts";
import { snapshotsQuery, worldsQuery } from "../../kernel/queries/world-queries.ts";
import { deleteOwnStorage } from "../../kernel/stores/own-storage.ts";
import { formatBytes, plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { serviceSettingsQuery } from "./queries.ts";
import { Setting } from "./setting.tsx";

/** The confirmation that the service requires. */
const WORDS = "erase everything";

const EraseForm = ({ onCancel }: { onCancel: () => void }) => {
  const [typed, setTyped] = useState("");
  const worlds = useQuery({ ...worldsQuery(), refetchOnMount: "always" }).data ?? [];
  const snapshots = useQuery(snapshotsQuery()).data ?? [];
  const scenarios = (useQuery(scenariosQuery()).data ?? []).filter(({ source }) => source === "own");
  const { data: settings } = useQuery(serviceSettingsQuery());
  const erase = useMutation({
    mutationFn: () => callControl("service.erase", { world: DEFAULT_WORLD, confirm: WORDS }),
    onSuccess: () => {
      deleteOwnStorage();
      // A reload removes all earlier data from the page, too.
      window.location.replace("/");
    },
  });
  const isTyped = typed.trim().toLowerCase() === WORDS;
  return (
    <Form onSend={() => isTyped && !erase.isPending && erase.mutate()}>
      <p>You can’t undo this. No checkpoint is saved. This deletes:</p>
      <List size="sm">
        <List.Item>
          {plural(worlds.length, "world")}: jobs, orders, keys, subscriptions, calls, deliveries and uploaded pictures
        </List.Item>
        <List.Item>{plural(snapshots.length, "snapshot")}, checkpoints included</List.Item>
        {scenarios.length > 0 && (
          <List.Item>{plural(scenarios.length, "scenario")} of yours and all their runs</List.Item>
        )}
        <List.Item>the log and the saved port</List.Item>
        <List.Item>the explorer’s own data (drafts, histories and preferences) in every window</List.Item>
      </List>
      <Text component="p" variant="note">
        The service continues with a new “default” world. Exported files are not deleted.
        {settings && ` ${formatBytes(settings.data_folder.bytes)} are on disk now.`}
      </Text>
      <TextField label={`Type “${WORDS}”`} value={typed} onChange={setTyped} autoFocus />
      <Refused error={erase.error} />
      <span className="acts-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Submit look="danger" icon={IconTrash} disabled={!isTyped} busy={erase.isPending}>
          Erase everything
        </Submit>
      </span>
    </Form>
  );
};

/** Erases all data of the service. */
export const Erase = () => {
  const [opened, setOpened] = useState(false);
  return (
    <Setting
      id="erase"
      appliesWhen="Applies immediately"
      about="Deletes all worlds, snapshots, checkpoints, pictures and scenarios, the log and the explorer’s own data. The service continues with a new “default” world."
    >
      <span>
        <Button look="danger" icon={IconTrash} onClick={() => setOpened(true)}>
          Erase everything…
        </Button>
      </span>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Erase everything" size={560}>
        <EraseForm onCancel={() => setOpened(false)} />
      </Dialog>
    </Setting>
  );
};
