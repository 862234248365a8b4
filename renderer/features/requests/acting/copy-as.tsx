import { Menu } from "@mantine/core";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { copyText } from "../../../lib/announce.ts";
import { asCurl, asPowerShell } from "../../../lib/curl.ts";
import { asFetch, asHttpFile, asPython } from "../../../lib/snippets.ts";

const forms = [
  { name: "cURL", of: asCurl, what: "the cURL command" },
  { name: "fetch (JavaScript)", of: asFetch, what: "the fetch call" },
  { name: "Python (requests)", of: asPython, what: "the Python program" },
  { name: "PowerShell", of: asPowerShell, what: "the PowerShell command" },
  { name: "HTTP file", of: asHttpFile, what: "the HTTP file" },
] as const;

/** Copies a call as a program that makes it again; it takes the key, which is masked here, from the environment. */
export const CopyAsItems = ({ detail }: { detail: RequestDetail }) => (
  <>
    <Menu.Label>As a program; it takes the key from API_KEY</Menu.Label>
    {forms.map(({ name, of, what }) => {
      const text = of(detail, window.location.origin);
      return (
        <Menu.Item key={name} disabled={text === null} onClick={() => text !== null && void copyText(text, what)}>
          {name}
          {text === null && <span className="t12 t3">: cannot hold this body</span>}
        </Menu.Item>
      );
    })}
  </>
);
