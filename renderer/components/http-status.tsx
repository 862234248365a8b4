/** A status code with a mark whose form tells the class too: round 2xx, square 3xx and 4xx, diamond 5xx or no answer. */
export const HttpStatus = ({ status, words }: { status: number | null; words?: string }) => {
  const tone = status === null || status === 0 || status >= 500 ? "bad" : status >= 300 ? "wait" : "ok";
  return <span className={`code2 ${tone}`}>{words ?? (status || "no answer")}</span>;
};
