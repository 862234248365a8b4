import { Group, Stack } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { claimWorld } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { listWorldsWithToken } from "../../lib/session.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { Mark } from "../rail.tsx";

/** Returns the secret of a claim link, from the fragment that no server sees; null for other addresses. */
export const claimIn = ({ pathname, hash }: Pick<Location, "pathname" | "hash">): string | null =>
  pathname === "/claim" ? (new URLSearchParams(hash.slice(1)).get("claim") ?? "") : null;

/** Worlds that this browser already opens, shown for a used link: the same person may have used it. */
const OpenedBefore = () => {
  const worlds = listWorldsWithToken();
  if (worlds.length === 0) return null;
  return (
    <>
      <p>If you opened this link before, this browser still has the access.</p>
      <Group>
        {worlds.map((world) => (
          <Button
            key={world}
            look="primary"
            icon={IconKey}
            onClick={() => window.location.assign(namingWorld("/", world))}
          >
            {worlds.length === 1 ? "Open my world" : `Open ${world}`}
          </Button>
        ))}
      </Group>
    </>
  );
};

/**
 * Claim-link page. Requires a click, so link scanners such as mail filters don't consume the link. Opening the claimed
 * world reloads the page, so nothing that this window showed before is left.
 */
export const Claim = ({ claim }: { claim: string }) => {
  usePageTitle("Open your world");
  const open = useMutation({
    mutationFn: () => claimWorld(claim),
    onSuccess: ({ world, token }) =>
      window.location.replace(`${namingWorld(hrefs.install({}), world)}#token=${encodeURIComponent(token)}`),
  });
  const over = open.error instanceof ServiceFailure && open.error.status === 403 ? open.error.message : null;
  return (
    <Stack component="main" className="signed-out" gap="md" c="secondary" maw={560} mx="auto" mt="18vh" p="xl">
      <Group>
        <Mark />
        <h1>{over ? "This link no longer works" : "A world for you"}</h1>
      </Group>
      {over ? (
        <>
          <p role="alert">{over}</p>
          <OpenedBefore />
        </>
      ) : (
        <>
          <p>
            Somebody invited you to a sandbox of the integrations API: a private world with its own keys. It starts with
            the install flow, which gives you an API key.
          </p>
          <p>This link works once. After that, this browser keeps the access.</p>
          <Refused error={open.error} />
          <span>
            <Button
              look="primary"
              icon={IconKey}
              needs="view"
              busy={open.isPending || open.isSuccess}
              onClick={() => open.mutate()}
            >
              Open my world
            </Button>
          </span>
        </>
      )}
    </Stack>
  );
};
