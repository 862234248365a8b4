import { Box, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Read } from "../../components/read.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { logQuery } from "./queries.ts";
import { Setting } from "./setting.tsx";

/** The last lines of the service's log. */
export const LogLines = () => {
  const query = useQuery(logQuery());
  return (
    <Setting
      id="log"
      about={
        <>
          <p>Starts and failures of this service and earlier ones. The log never contains keys or secrets.</p>
          {query.data?.file && (
            <p>
              <Text component="code" style={{ overflowWrap: "anywhere" }}>
                {query.data.file}
              </Text>{" "}
              <CopyButton text={query.data.file} what="path of the log" />
            </p>
          )}
        </>
      }
      more={
        <Read of={query} what="the log" rows={3}>
          {({ items }) =>
            items.length === 0 ? (
              <Text component="p" variant="aside">
                The log is empty.
              </Text>
            ) : (
              // A scrollable region must be reachable by keyboard.
              <Box
                component="ol"
                variant="mono"
                className="wirebox scroll"
                mah={320}
                aria-label="Last lines of the log, newest first"
                tabIndex={0}
              >
                {items.map(({ time, level, message, detail }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
                  <Box key={index} component="li" py={4}>
                    <Time at={time} on="real" /> {level === "error" && <State of="failed">error</State>} {message}
                    {detail !== null && (
                      <Text component="pre" variant="mono" className="code wrapped" c="secondary">
                        {detail}
                      </Text>
                    )}
                  </Box>
                ))}
              </Box>
            )
          }
        </Read>
      }
    >
      <span>
        <Button icon={IconRefresh} busy={query.isFetching} onClick={() => void query.refetch()}>
          Reload
        </Button>
      </span>
    </Setting>
  );
};
