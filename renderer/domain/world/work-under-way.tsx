import { Group, Text } from "@mantine/core";
import { queryOptions, useIsMutating, useMutation, useQuery } from "@tanstack/react-query";
import type { WorkRow } from "../../../sandbox/contract/control/world-operations.ts";
import { Button } from "../../components/button.tsx";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { LONG_WORK } from "./mutations.ts";

const words: Readonly<Record<WorkRow["kind"], string>> = {
  copy: "Copying",
  restore: "Restoring",
  export: "Exporting",
  import: "Importing",
  compare: "Comparing",
  record: "Recording",
  branch: "Branching",
};

/** Running background work of all users. */
export const workQuery = () =>
  queryOptions({
    queryKey: serviceKeys.work,
    queryFn: async ({ signal }) => (await callControl("work.list", { world: DEFAULT_WORLD }, { signal })).items,
    gcTime: 0,
  });

interface WorkProps extends Pick<WorkRow, "progress"> {
  readonly what: string;
  readonly onCancel: () => void;
}

/** Progress of work on whole worlds, with a cancel button. Cancelling changes nothing. */
export const Work = ({ what, progress, onCancel }: WorkProps) => (
  <Group wrap="wrap" className="hl" flex="none" gap="4px 8px" p="8px 12px" role="status">
    <Text flex={1} miw={0} size="sm">
      {what}
      {progress === null ? ", waiting for other work" : `, ${Math.round(progress * 100)} %`}
    </Text>
    <Button small onClick={onCancel}>
      Cancel
    </Button>
    <progress aria-label={what} value={progress ?? 0} />
  </Group>
);

/** @param props.creating shows only the creation of this world; default: this window's work */
export const WorkInProgress = ({ creating }: { creating?: string }) => {
  const isWorking = useIsMutating({ mutationKey: LONG_WORK }) > 0;
  const { data = [] } = useQuery({
    ...workQuery(),
    enabled: isWorking && worldAccess() === null,
    refetchInterval: 500,
  });
  const cancel = useMutation({
    mutationFn: (id: string) => callControl("work.cancel", { world: DEFAULT_WORLD, id }),
    onError: (error) => notify.failed("Cancel", error),
  });
  if (!isWorking) return null;
  const shown = data.filter(({ to }) => creating === undefined || to === creating);
  return shown.map(({ id, kind, world, progress }) => (
    <Work
      key={id}
      what={creating === undefined ? `${words[kind]} ${world ?? "a file"}` : `Creating ${creating}`}
      progress={progress}
      onCancel={() => cancel.mutate(id)}
    />
  ));
};
