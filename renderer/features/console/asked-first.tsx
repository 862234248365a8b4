import { Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/dialog.tsx";
import type { Declared } from "../../domain/exchange/declarations.ts";

interface AskedFirstProps {
  readonly declared: Declared;
  /** The world that the call acts on. */
  readonly world: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSend: () => void;
}

/** Asks before a call is sent that takes something away. */
export const AskedFirst = ({ declared, world, opened, onClose, onSend }: AskedFirstProps) => (
  <Dialog opened={opened} onClose={onClose} title={`Send ${declared.id} to ${world}?`} size={480}>
    <Stack gap="xs" pb="md">
      <p>{declared.summary}</p>
      <Text component="p" c="secondary">
        Acts on world <b>{world}</b>.
      </Text>
    </Stack>
    <DialogFoot>
      <Button data-autofocus onClick={onClose}>
        Cancel
      </Button>
      <Button look="danger" icon={IconSend} onClick={onSend}>
        Send call
      </Button>
    </DialogFoot>
  </Dialog>
);
