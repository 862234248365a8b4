import { Menu, Text } from "@mantine/core";
import { copyText } from "../../app/copy-text.ts";
import type { KeptRequest } from "../../lib/curl.ts";
import { programs } from "../../lib/snippets.ts";

/** Copies a call as a program that makes it again; it takes the key, which is masked here, from the environment. */
export const CopyAsItems = ({ call }: { call: KeptRequest }) => (
  <>
    <Menu.Label>As code (reads the key from API_KEY)</Menu.Label>
    {programs.map(({ name, of, what }) => {
      const text = of(call, window.location.origin);
      return (
        <Menu.Item key={name} disabled={text === null} onClick={() => text !== null && void copyText(text, what)}>
          {name}
          {text === null && <Text variant="aside">(not possible for this body)</Text>}
        </Menu.Item>
      );
    })}
  </>
);
