import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import type { ServiceSettings } from "../../../sandbox/contract/control/service-operations.ts";
import { useCredentials } from "../../app/acting.ts";
import { notify } from "../../app/notices.tsx";
import { hrefs } from "../../app/places.ts";
import { Button } from "../../components/button.tsx";
import { TextLink } from "../../components/link.tsx";
import { Side } from "../../components/side.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { saveFile } from "../../lib/files.ts";
import { freshCredentials } from "./fresh-credentials.ts";
import { serviceSettingsQuery } from "./queries.ts";
import { Setting } from "./setting.tsx";
import styles from "./settings.module.css";

const NAME = "sandbox-credentials.json";

const save = async (): Promise<void> => {
  try {
    const content = `${JSON.stringify(freshCredentials(), null, 2)}\n`;
    const saved = await saveFile({ name: NAME, content, mediaType: "application/json" });
    if (saved !== null)
      notify.done({ title: `Saved ${saved}`, detail: "It holds secrets. Keep it where only the service reads it." });
  } catch (error) {
    notify.failed("Save the credentials file", error);
  }
};

const startedAs = ({ items }: ServiceSettings, name: string) => items.find((item) => item.name === name)?.value ?? null;

const columnsFor = (preloaded: string): readonly Column<Credential>[] => [
  { key: "side", head: "Side", width: "96px", cell: ({ scope }) => <Side side={scope} /> },
  { key: "organization", head: "Organization", cell: ({ organization_name }) => organization_name },
  { key: "key", head: "Key", width: "144px", cell: ({ key_hint }) => <span className="m11">{key_hint}</span> },
  {
    key: "from",
    head: "From",
    width: "176px",
    cell: (row) => (row.preloaded ? preloaded : "generated at its install"),
  },
];

const About = ({ settings }: { settings: ServiceSettings }) => {
  const file = startedAs(settings, "credentials");
  return (
    <>
      <p>
        {file === null ? (
          "This service has the documented demo keys, which open every sandbox. A deployed one refuses them and takes a file of your own."
        ) : (
          <>
            Read at the start from <code className="wrapany">{file}</code>.
          </>
        )}
      </p>
      <p>
        Deployed:{" "}
        <code className="wrapany">
          npm run sandbox -- --mode deployed --public-url https://sandbox.example.com --credentials {NAME}
        </code>
        . A data folder keeps the credentials it was made with: choose another with --data for others.
      </p>
      <p>
        Whole keys and secrets are shown in <TextLink href={hrefs.install({})}>Install</TextLink>, when asked for.
      </p>
    </>
  );
};

/** Which keys this service has, and how a deployed one gets its own. */
export const Credentials = ({ shown }: { shown: string | undefined }) => {
  const { data: settings } = useQuery(serviceSettingsQuery());
  const { data: credentials = [] } = useCredentials();
  const documented = settings === undefined || startedAs(settings, "credentials") === null;
  return (
    <Setting
      id="credentials"
      shown={shown}
      holds="set at a start"
      about={settings && <About settings={settings} />}
      more={
        <div className={styles.lines}>
          <Table
            caption="Credentials of this world"
            columns={columnsFor(documented ? "documented" : "the file")}
            rows={credentials}
            rowKey={({ integration_id }) => integration_id}
          />
        </div>
      }
    >
      <span>
        <Button icon={IconKey} onClick={() => void save()}>
          Save a file with fresh values
        </Button>
      </span>
    </Setting>
  );
};
