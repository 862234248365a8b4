import { Box, Group, Stack, Tabs } from "@mantine/core";
import { useMemo } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import type { CopiedRequest } from "../../domain/exchange/curl.ts";
import { programs } from "../../domain/exchange/snippets.ts";
import { useRemembered } from "../../lib/remembered.ts";
import styles from "./console.module.css";

type Name = (typeof programs)[number]["name"];
const parseName = (text: string): Name | null => programs.find(({ name }) => name === text)?.name ?? null;
/** Derives an ID from a tab's name without spaces. */
const tabId = (name: Name): string => name.replace(/\W.*/, "");
/** Longer code is truncated on screen, but copied completely; in characters. */
const SHOWN_LENGTH = 20_000;

/** The call as code in several languages; it reads the key from the environment. */
export const CodeTabs = ({ call }: { call: CopiedRequest }) => {
  const [shown, setShown] = useRemembered<Name>("console.code", "cURL", parseName);
  const program = programs.find(({ name }) => name === shown) ?? programs[0];
  const text = useMemo(() => program.of(call, window.location.origin), [program, call]);
  return (
    <Stack component="section" gap={0} className={styles.code} aria-label="The call as code">
      <Tabs
        value={tabId(shown)}
        onChange={(tab) => setShown(programs.find(({ name }) => tabId(name) === tab)?.name ?? shown)}
      >
        <Tabs.List aria-label="The call as code">
          {programs.map(({ name }) => (
            <Tabs.Tab key={name} value={tabId(name)}>
              {name.replace(/ \(.*/, "")}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tabId(shown)}>
          {/* A scrollable region must be reachable by keyboard. */}
          <Group className="scroll" align="flex-start" flex={1} p="8px 12px 12px 16px" tabIndex={0}>
            <Box component="pre" className="code wrapped" flex={1}>
              {text.slice(0, SHOWN_LENGTH)}
              {text.length > SHOWN_LENGTH && "…"}
            </Box>
            <Box pos="sticky" top={0}>
              <CopyButton text={text} what={program.what} />
            </Box>
          </Group>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
};
