import { Group, Stack } from "@mantine/core";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form } from "../../components/form.tsx";
import { tokenInFragment } from "../../lib/session.ts";
import { usePageTitle } from "../titles.ts";
import { Mark } from "./rail.tsx";

/** The address that was given last: while one is asked for, the service did not take its token. */
let given = "";

const problemOf = (link: string, refused: string): string | null => {
  if (link.trim() === "") return null;
  if (link === refused) return "The service doesn’t accept the token in this URL.";
  return tokenIn(link) ? null : "The URL must end with #token=…";
};
const tokenIn = (link: string) => tokenInFragment(link.slice(link.indexOf("#")));

const FreshLink = () => {
  const [link, setLink] = useState(given);
  const [refused] = useState(given);
  const send = () => {
    given = link;
    window.location.hash = link.slice(link.indexOf("#"));
  };
  return (
    <>
      <p>
        <b>Open the URL the service printed when it started.</b> It ends with <code>#token=…</code>. In the line that{" "}
        <code>npx integrations-explorer-sandbox</code> printed, it is <code>explorer_url</code>. The desktop app opens
        it automatically.
      </p>
      <Form className="beside" onSend={() => tokenIn(link) && send()}>
        <TextField
          label="URL printed by the service"
          value={link}
          onChange={setLink}
          placeholder={`${window.location.origin}/#token=…`}
          error={problemOf(link, refused)}
          autoFocus
        />
        <Button look="primary" type="submit" disabled={!tokenIn(link)}>
          Open
        </Button>
      </Form>
    </>
  );
};

/** The whole page while no working token is known: what happened and what to do. */
export const SignedOut = () => {
  usePageTitle("Open the printed URL");
  return (
    <Stack component="main" className="signed-out" gap="md" c="secondary" maw={560} mx="auto" mt="18vh" p="xl">
      <Group>
        <Mark />
        <h1>Integrations Explorer</h1>
      </Group>
      <p>
        This window has no valid token. The service may have restarted with a new one. A link that somebody sent you may
        have expired or been revoked: ask them for another.
      </p>
      <FreshLink />
    </Stack>
  );
};

const nothing = () => undefined;

/** Over the page when the service refuses the token it took before: what is behind, and typed in it, stays. */
export const SignedOutDialog = ({ opened }: { opened: boolean }) => (
  <Dialog
    opened={opened}
    onClose={nothing}
    withCloseButton={false}
    closeOnEscape={false}
    closeOnClickOutside={false}
    title="Your token is no longer valid"
    size={560}
    zIndex={500}
  >
    <Stack className="signed-out" gap="md" c="secondary">
      <p>
        The service restarted with a new control token, or your link expired or was revoked. Your input is kept. Enter
        another URL here or open it in another window to continue.
      </p>
      <FreshLink />
    </Stack>
  </Dialog>
);
