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
  if (link === refused) return "The service does not take the control token of this address.";
  return tokenIn(link) ? null : "This address does not end in #token=…";
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
        <b>Open the address the service printed when it started.</b> It ends in <code>#token=…</code>. The desktop app
        opens it by itself; in a terminal it is the line after <code>npm start</code>, or <code>explorer_url</code> in
        the ready line of <code>npm run sandbox</code>.
      </p>
      <Form className="beside" onSend={() => tokenIn(link) && send()}>
        <TextField
          label="The address the service printed"
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
  usePageTitle("Open the printed address");
  return (
    <main className="stack row-3 t2 signed-out">
      <div className="row">
        <Mark />
        <h1 className="t15">Integrations Explorer</h1>
      </div>
      <p>This window has no control token, or the service was started anew with another one.</p>
      <FreshLink />
    </main>
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
    title="The service has another control token now"
    size={560}
    zIndex={500}
  >
    <div className="stack row-3 t2 signed-out-words">
      <p>
        It does not take the one this window has, and may have been started anew. What you typed is kept: this window
        goes on as soon as it has the new one, here or in a window beside it.
      </p>
      <FreshLink />
    </div>
  </Dialog>
);
