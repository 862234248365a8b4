import { Group, Text } from "@mantine/core";
import { isWorldToken } from "../../../sandbox/contract/access.ts";
import { COMMAND } from "../../../sandbox/contract/package-name.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { controlToken } from "../../lib/session.ts";

/**
 * What forwards notifications to a server on one's own machine. A token of this world comes with it where it is copied, as a
 * variable: every user of a machine can read the arguments of its commands.
 */
const commandWith = (token: string): string =>
  `SANDBOX_CONTROL_TOKEN=${token} ${COMMAND} listen --url ${window.location.origin} --forward-to http://localhost:3000/hook`;

/** For a receiver that the service can't reach: it needs no URL. */
export const ListenHint = () => {
  const token = controlToken();
  const copied = token !== null && isWorldToken(token) ? token : '"$TOKEN"';
  return (
    <Group wrap="nowrap" align="start" gap="sm">
      <Text variant="note" component="p" flex={1}>
        To receive on your own machine without a public URL, run{" "}
        <Text variant="code" component="span" style={{ overflowWrap: "anywhere" }}>
          {commandWith('"$TOKEN"')}
        </Text>
      </Text>
      <CopyButton text={commandWith(copied)} what="the command" />
    </Group>
  );
};
