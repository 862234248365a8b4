import { Checkbox, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { worldAccess } from "../../../lib/world-access.ts";
import { useExportWorld } from "../mutations.ts";

/** Saves a world as a file, which “Open a file” turns into a world again, here or elsewhere. */
export const ExportForm = ({ world, onDone }: { world: string; onDone: () => void }) => {
  const [reveal, setReveal] = useState(false);
  const save = useExportWorld();
  return (
    <Stack gap="md">
      <Text component="p" variant="note">
        Saves jobs, orders, calls, deliveries, settings, clock and pictures in one file. Use “Open file” to load it as a
        world, here or elsewhere.
      </Text>
      <Checkbox
        label="Include keys and secrets"
        description="Anyone with the file can call as its integrations. Otherwise, new keys are generated when it is opened."
        disabled={worldAccess() !== null}
        checked={reveal}
        onChange={(event) => setReveal(event.currentTarget.checked)}
      />
      <span className="acts-end">
        <Button
          look="primary"
          icon={IconDownload}
          needs="manage"
          busy={save.isPending}
          onClick={() => save.mutate({ world, reveal }, { onSuccess: (saved) => saved !== null && onDone() })}
        >
          Export {world}
        </Button>
      </span>
    </Stack>
  );
};
