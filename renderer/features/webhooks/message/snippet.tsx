import { Box, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type RejectReason, rejectReasons } from "../../../../sandbox/contract/signature.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Read } from "../../../components/read.tsx";
import { useRemembered } from "../../../lib/remembered.ts";

/** Languages of the verification function with their files, in menu order. */
const languages = {
  typescript: { name: "TypeScript", file: "verify-webhook.ts" },
  python: { name: "Python", file: "verify_webhook.py" },
  go: { name: "Go", file: "verify_webhook.go" },
  csharp: { name: "C#", file: "VerifyWebhook.cs" },
  java: { name: "Java", file: "VerifyWebhook.java" },
  php: { name: "PHP", file: "verify_webhook.php" },
  ruby: { name: "Ruby", file: "verify_webhook.rb" },
} as const;
type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as readonly Language[];

/** A usual wrong line, and a correct one. */
interface UsualLine {
  readonly wrong: string;
  readonly right: string;
}

export interface UsualLines {
  /** True if the correct line is part of the verification function: later code is the receiver's own. */
  readonly isInFunction: boolean;
  readonly lines: Readonly<Record<Language, UsualLine>>;
}

/** The documentation's files, which are tested against the service; loaded on demand. */
const files = import.meta.glob<string>(
  ["../../../../docs/verify-a-webhook/*", "!../../../../docs/verify-a-webhook/*.md"],
  { query: "?raw", import: "default" },
);

export const snippetQuery = (language: Language) =>
  queryOptions({
    queryKey: ["snippet", language],
    queryFn: async () => {
      const load = files[`../../../../docs/verify-a-webhook/${languages[language].file}`];
      if (!load) throw new Error(`This build holds no verification function in ${languages[language].name}.`);
      return await load();
    },
  });

/**
 * Returns the lines, counted from 0, that refuse for this reason only. For a wrong signature the last one, which
 * compares: an earlier one refuses unknown secrets in the same way.
 */
export const linesThatRefuse = (code: string, reason: RejectReason, all: readonly RejectReason[]): number[] =>
  code
    .split("\n")
    .flatMap((line, index) => {
      const given = all.filter((one) => line.includes(one));
      return given.length === 1 && given[0] === reason ? [index] : [];
    })
    .slice(reason === "bad_signature" ? -1 : 0);

const options = languageNames.map((value) => ({ value, label: languages[value].name }));
const parse = (text: string): Language | null => languageNames.find((name) => name === text) ?? null;

/** Height in pixels, reserved so that nothing moves when the code arrives; every file is longer. */
const MIN_HEIGHT = 324;

/** @param marks the lines to highlight, counted from 0 */
const Code = ({ text, language, marks }: { text: string; language: Language; marks: readonly number[] }) => {
  const box = useRef<HTMLElement>(null);
  const hits = new Set(marks);
  const lines = text.trimEnd().split("\n");
  useEffect(() => {
    const hit = box.current?.querySelector<HTMLElement>("[data-hit]");
    if (hit && box.current) box.current.scrollTop = hit.offsetTop - 96;
  }, []);
  return (
    <Box
      component="section"
      ref={box}
      className="code wirebox"
      pos="relative"
      mah={MIN_HEIGHT}
      aria-label={languages[language].file}
      tabIndex={0}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a file never move
        <span key={index} className="ln" data-hit={hits.has(index) || undefined}>
          <u aria-hidden="true">{index + 1}</u>
          <span className={hits.has(index) ? "hit" : undefined}>{line}</span>
        </span>
      ))}
    </Box>
  );
};

const Usual = ({ of: { wrong, right } }: { of: UsualLine }) => (
  <Stack gap="xs">
    {[
      ["Usually wrong", wrong, "bad"],
      ["Right", right, "ok"],
    ].map(([label = "", line, tone]) => (
      <Stack key={label} gap={2}>
        <Text component="p" variant="note" className={`st ${tone}`}>
          {label}
        </Text>
        <section className="code wrapped wirebox" aria-label={label}>
          {line}
        </section>
      </Stack>
    ))}
  </Stack>
);

/**
 * Verification code to copy, with the lines that refuse for a reason highlighted.
 * @param usual the line that usually makes a drill's mistake; the correct one is then highlighted
 */
export const Snippet = ({ reason = null, usual }: { reason?: RejectReason | null; usual?: UsualLines | undefined }) => {
  const [language, choose] = useRemembered<Language>("snippet", "typescript", parse);
  const query = useQuery(snippetQuery(language));
  const line = usual?.lines[language];
  const marksIn = (text: string): number[] => {
    if (line) return text.split("\n").flatMap((one, index) => (one.includes(line.right) ? [index] : []));
    return reason === null ? [] : linesThatRefuse(text, reason, rejectReasons);
  };
  return (
    <Stack>
      <Group wrap="wrap">
        <SegmentedControl aria-label="Language" data={options} value={language} onChange={choose} />
        <Box component="span" flex={1} />
        <Group component="span" gap="xs" style={{ whiteSpace: "nowrap" }}>
          {usual?.isInFunction !== false && (
            <Text variant="mono" c="dimmed">
              {languages[language].file}
            </Text>
          )}
          {/* Reserves its width while the code is loading. */}
          <Box component="span" miw={24}>
            {query.data !== undefined && usual?.isInFunction !== false && (
              <CopyButton text={query.data} what={`the ${languages[language].name} function`} />
            )}
          </Box>
        </Group>
      </Group>
      {line && <Usual of={line} />}
      {usual?.isInFunction !== false && (
        <Box mih={MIN_HEIGHT}>
          <Read of={query} what="the code" rows={8}>
            {(text) => (
              <Code
                key={`${language} ${line?.right ?? reason}`}
                text={text}
                language={language}
                marks={marksIn(text)}
              />
            )}
          </Read>
        </Box>
      )}
    </Stack>
  );
};
