import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Form } from "../../components/form.tsx";
import { usePageTitle } from "../titles.ts";
import { Mark } from "./rail.tsx";

const FreshLink = () => {
  const [link, setLink] = useState("");
  const fragment = link.includes("#") ? link.slice(link.indexOf("#")) : "";
  const usable = new URLSearchParams(fragment.slice(1)).has("token");
  return (
    <>
      <p>
        <b>Open the address the service printed when it started.</b> It ends in <code>#token=…</code>. The desktop app
        opens it by itself; in a terminal it is the line after <code>npm start</code>, or <code>explorer_url</code> in
        the ready line of <code>npm run sandbox</code>.
      </p>
      <Form
        className="row"
        onSend={() => {
          if (usable) window.location.hash = fragment;
        }}
      >
        <label className="search grow">
          <span className="sr">The address the service printed</span>
          <input
            data-autofocus={true}
            value={link}
            onChange={(event) => setLink(event.currentTarget.value)}
            placeholder={`${window.location.origin}/#token=…`}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
        <Button look="primary" type="submit" disabled={!usable}>
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
      <p>This window has no key to the service’s control plane, or the service was started anew with another one.</p>
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
    title="The service has another key now"
    size={560}
    zIndex={500}
  >
    <div className="stack row-3 t2 signed-out-words">
      <p>
        It was started anew and does not know this window any more. What you typed is kept: this window goes on as soon
        as it has the new key, here or in a window beside it.
      </p>
      <FreshLink />
    </div>
  </Dialog>
);
