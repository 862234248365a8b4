import { hostOf, shortHostOf, whereTo } from "../where-to.ts";

/** Where it goes, by its name when it is the service's own. */
export const Address = ({ url }: { url: string }) => {
  const to = whereTo(url, window.location.origin);
  if (to.kind === "sink")
    return (
      <span className="el" title={`The built-in test receiver: verifies every notification and answers 200. ${url}`}>
        reference sink
      </span>
    );
  if (to.kind === "receiver")
    return (
      <span className="el" title={url}>
        built-in receiver <span className="m11 t3">{to.id.slice(-4)}</span>
      </span>
    );
  return (
    <span className="m11 el" title={url}>
      {url}
    </span>
  );
};

/** The same in a word or two, for a row that has no room for more: "sink", "receiver f813", "port 8787/hooks". */
export const shortAddress = (url: string): string => {
  const to = whereTo(url, window.location.origin);
  if (to.kind === "sink") return "sink";
  return to.kind === "receiver" ? `receiver ${to.id.slice(-4)}` : shortHostOf(url);
};

/** The same in few words: of a partner's address only where it is. */
export const ShortAddress = ({ url }: { url: string }) => {
  const to = whereTo(url, window.location.origin);
  if (to.kind !== "partner") return <>{to.kind === "sink" ? "reference sink" : "built-in receiver"}</>;
  return <span className="m11">{hostOf(url)}</span>;
};
