import { IconPlugConnectedX, IconReload } from "@tabler/icons-react";
import { Button } from "../../../components/button.tsx";
import { useNowText } from "../../../lib/world-clock.ts";
import { isLost, useConnection } from "../../live/connection-store.ts";
import { Banner } from "../banner.tsx";

const OtherBuild = () => {
  const other = useConnection((state) => state.otherBuild);
  if (other === null) return null;
  const { version, pageVersion } = other;
  return (
    <Banner
      tone="wait"
      icon={IconReload}
      label="Another version"
      actions={
        <Button small onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
    >
      <b>The service is another version now.</b>{" "}
      {version === pageVersion
        ? `It serves another build of ${version} than this page is.`
        : `It is ${version}; this page is of ${pageVersion}.`}{" "}
      Reload when nothing you typed waits to be sent.
    </Banner>
  );
};

const Lost = () => {
  const { connection, retry } = useConnection();
  const lost = useNowText("real", (now) => String(isLost(connection, now))) === "true";
  if (!lost) return null;
  return (
    <Banner
      tone="bad"
      icon={IconPlugConnectedX}
      label="The service is lost"
      actions={
        <Button small onClick={retry}>
          Try now
        </Button>
      }
    >
      <b>The service does not answer.</b> What you see is as it was; what you typed is kept. Start it again and this
      window goes on by itself.
    </Banner>
  );
};

/** What is to be known about the service itself. */
export const ConnectionBanners = () => (
  <>
    <OtherBuild />
    <Lost />
  </>
);
