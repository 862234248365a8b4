import { Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ServiceSettings } from "../../../sandbox/contract/control/service-operations.ts";
import { notify } from "../../app/notices.tsx";
import { Button } from "../../components/button.tsx";
import { saveFile } from "../../lib/files.ts";
import { freshCredentials } from "./fresh-credentials.ts";
import { serviceSettingsQuery } from "./queries.ts";
import { Setting } from "./setting.tsx";

const NAME = "sandbox-credentials.json";

const save = async (): Promise<void> => {
  try {
    const content = `${JSON.stringify(freshCredentials(), null, 2)}\n`;
    const saved = await saveFile({ name: NAME, content, mediaType: "application/json" });
    if (saved !== null)
      notify.done({
        title: `Saved ${saved}`,
        detail: "The file contains secrets. Store it where only the service can read it.",
      });
  } catch (error) {
    notify.failed("Save credentials file", error);
  }
};

const startedAs = ({ items }: ServiceSettings, name: string) => items.find((item) => item.name === name)?.value ?? null;

const About = ({ settings }: { settings: ServiceSettings }) => {
  const file = startedAs(settings, "credentials");
  return (
    <>
      <p>
        {file === null ? (
          "This service uses the documented demo keys, which work in every sandbox. A deployed service refuses them and needs your own file."
        ) : (
          <>
            Read at startup from{" "}
            <Text component="code" style={{ overflowWrap: "anywhere" }}>
              {file}
            </Text>
            .
          </>
        )}
      </p>
      <p>
        Deployed:{" "}
        <Text component="code" style={{ overflowWrap: "anywhere" }}>
          npx integrations-explorer-sandbox --mode deployed --public-url https://sandbox.example.com --credentials{" "}
          {NAME}
        </Text>
        . A data folder keeps its first credentials. Use another folder (--data) for other credentials.
      </p>
    </>
  );
};

/** Which keys this service has, and how a deployed one gets its own. */
export const Credentials = ({ shown }: { shown: string | undefined }) => {
  const { data: settings } = useQuery(serviceSettingsQuery());
  return (
    <Setting
      id="credentials"
      shown={shown}
      holds="Applies after restart"
      about={settings && <About settings={settings} />}
    >
      <span>
        <Button icon={IconKey} onClick={() => void save()}>
          Save file with new values
        </Button>
      </span>
    </Setting>
  );
};
