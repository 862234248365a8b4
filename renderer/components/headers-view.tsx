import { maskSecret } from "../lib/formatting.ts";

const secretHeaders = new Set(["authorization", "cookie", "set-cookie", "proxy-authorization"]);

/** "Bearer isk_…91bc": the scheme stays, the credential is masked. */
export const maskHeader = (name: string, value: string): string => {
  if (!secretHeaders.has(name.toLowerCase())) return value;
  const [scheme, ...rest] = value.split(" ");
  return rest.length > 0 ? `${scheme} ${maskSecret(rest.join(" "))}` : maskSecret(value);
};

/** Header lines as sent; credentials are masked. */
export const HeadersView = ({
  headers,
  label,
  marks = [],
}: {
  headers: ReadonlyArray<readonly [string, string]>;
  label: string;
  marks?: readonly string[];
}) => (
  <section className="code wrapped headers" aria-label={label}>
    {headers.length === 0 && <span className="x">no headers</span>}
    {headers.map(([name, value], index) => (
      <span key={`${name}-${String(index)}`} className="ln">
        <span className="k">{name.toLowerCase()}:</span>{" "}
        <span className={marks.includes(name.toLowerCase()) ? "hit" : undefined}>{maskHeader(name, value)}</span>
      </span>
    ))}
  </section>
);
