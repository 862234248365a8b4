import { Group, Stack } from "@mantine/core";
import { IconLogin2, IconLogout2, IconRefresh } from "@tabler/icons-react";
import { ACCESS_ENDED } from "../../../sandbox/contract/access.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { signInAddress, signOut, useSignIn } from "../../kernel/session/sign-in.ts";
import { hasAccessEnded } from "../../lib/session.ts";
import { Mark } from "../rail.tsx";

/** A plain link, because the proxy must receive the request. */
const SignInButton = ({ isOver }: { readonly isOver: boolean }) => (
  <Button
    look="primary"
    icon={IconLogin2}
    onClick={() =>
      isOver ? window.open(signInAddress(), "_blank", "noopener") : window.location.assign(signInAddress())
    }
  >
    Sign in
  </Button>
);

/** The reason why this window has no working token, and the next step. */
const Reason = ({ isOver }: { readonly isOver: boolean }) => {
  const signIn = useSignIn();
  const hasEnded = hasAccessEnded();
  // An invited user's window shows one world; signing in needs a window of its own.
  if (hasEnded && isOver) return <p>{ACCESS_ENDED}</p>;
  if (signIn.is === "refused")
    return (
      <>
        <p>{signIn.message}</p>
        <span>
          <Button icon={IconLogout2} onClick={signOut}>
            Sign out
          </Button>
        </span>
      </>
    );
  if (signIn.is === "unread")
    return (
      <>
        <p>{signIn.message}</p>
        <span>
          <Button icon={IconRefresh} onClick={() => window.location.reload()}>
            Try again
          </Button>
        </span>
      </>
    );
  if (signIn.is === "failed" && !hasEnded)
    return <p>Signing in doesn’t work right now. Try again in a minute, or tell the operator of this sandbox.</p>;
  if (!hasEnded && signIn.is !== "nobody")
    return (
      <>
        <p>
          {isOver
            ? "The service restarted with a new control token. This window continues automatically. Your input is kept."
            : "This window has no valid token. The service may have restarted with a new one."}
        </p>
        <p>
          <b>Open the URL the service printed when it started{isOver && ", in another window"}.</b> It ends with{" "}
          <code>#token=…</code>. In the line that <code>sandbox</code> printed, it is <code>explorer_url</code>. The
          desktop app opens it automatically.
        </p>
      </>
    );
  return (
    <>
      {hasEnded && <p>{ACCESS_ENDED}</p>}
      {signIn.is === "nobody" && (
        <>
          <p>
            {isOver
              ? "Sign in again in another window. This one then continues automatically. Your input is kept."
              : hasEnded
                ? "Or sign in, if you have an account."
                : "Sign in to open this sandbox. If somebody sent you a link, open the link instead."}
          </p>
          <span>
            <SignInButton isOver={isOver} />
          </span>
        </>
      )}
    </>
  );
};

/** The whole page without a working token: the reason and the next step. */
export const SignedOut = () => {
  usePageTitle(useSignIn().is === "unread" ? "Couldn’t open" : "Not signed in");
  return (
    <Stack component="main" className="signed-out" gap="md" c="secondary" maw={560} mx="auto" mt="18vh" p="xl">
      <Group>
        <Mark />
        <h1>Integrations Explorer</h1>
      </Group>
      <Reason isOver={false} />
    </Stack>
  );
};

const nothing = () => undefined;

/** Shown over the page when the service refuses a token it accepted before; the page and its input stay. */
export const SignedOutDialog = ({ opened }: { opened: boolean }) => {
  const signIn = useSignIn();
  const title = hasAccessEnded()
    ? "Access ended"
    : signIn.is === "off"
      ? "Your token is no longer valid"
      : "You’re signed out";
  return (
    <Dialog
      opened={opened}
      onClose={nothing}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={title}
      size={560}
      zIndex={500}
    >
      <Stack className="signed-out" gap="md" c="secondary">
        <Reason isOver />
      </Stack>
    </Dialog>
  );
};
