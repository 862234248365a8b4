import { queryOptions } from "@tanstack/react-query";
import type { RejectReason } from "../../../../sandbox/contract/signature.ts";

/** The languages there is a verification function in, in the order they are offered, with its file. */
export const languages = {
  typescript: { name: "TypeScript", file: "verify-webhook.ts" },
  python: { name: "Python", file: "verify_webhook.py" },
  go: { name: "Go", file: "verify_webhook.go" },
  csharp: { name: "C#", file: "VerifyWebhook.cs" },
  java: { name: "Java", file: "VerifyWebhook.java" },
  php: { name: "PHP", file: "verify_webhook.php" },
  ruby: { name: "Ruby", file: "verify_webhook.rb" },
} as const;
export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as readonly Language[];
export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The very files of the documentation, which are tested against the service; each is fetched when it is looked at. */
const files = import.meta.glob<string>(
  ["../../../../docs/verify-a-webhook/*", "!../../../../docs/verify-a-webhook/*.md"],
  { query: "?raw", import: "default" },
);

/** The verification function in a language, as text. */
export const snippetQuery = (language: Language) =>
  queryOptions({
    queryKey: ["snippet", language],
    queryFn: async () => {
      const load = files[`../../../../docs/verify-a-webhook/${languages[language].file}`];
      if (!load) throw new Error(`This build holds no verification function in ${languages[language].name}.`);
      return await load();
    },
  });

/** The lines, counted from 0, that refuse for a reason: those that give it and no other. */
export const linesThatRefuse = (code: string, reason: RejectReason, all: readonly RejectReason[]): number[] =>
  code.split("\n").flatMap((line, index) => {
    const given = all.filter((one) => line.includes(one));
    return given.length === 1 && given[0] === reason ? [index] : [];
  });
