import { Menu } from "@mantine/core";
import type { KeptRequest } from "../../../domain/exchange/curl.ts";
import { programs } from "../../../domain/exchange/snippets.ts";
import { copyText } from "../../../kernel/notices/copy-text.ts";

/** Copies a call as a program that makes it again; it takes the key, which is masked here, from the environment. */
export const CopyAsItems = ({ call }: { call: KeptRequest }) => (
  <>
    <Menu.Label>As code (reads the key from API_KEY)</Menu.Label>
    {programs.map(({ name, of, what }) => (
      <Menu.Item key={name} onClick={() => void copyText(of(call, window.location.origin), what)}>
        {name}
      </Menu.Item>
    ))}
  </>
);
