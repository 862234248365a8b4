import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type RejectReason, rejectReasons } from "../../../../sandbox/contract/signature.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Read } from "../../../components/read.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { useRemembered } from "../../../lib/remembered.ts";
import { isLanguage, type Language, languageNames, languages, linesThatRefuse, snippetQuery } from "./snippets.ts";

const options = languageNames.map((value) => ({ value, label: languages[value].name }));
const parse = (text: string): Language | null => (isLanguage(text) ? text : null);

const Code = ({ text, language, reason }: { text: string; language: Language; reason: RejectReason | null }) => {
  const box = useRef<HTMLElement>(null);
  const hits = new Set(reason === null ? [] : linesThatRefuse(text, reason, rejectReasons));
  const lines = text.trimEnd().split("\n");
  useEffect(() => {
    // Which lines are marked follows from these two.
    if (!language || !reason) return;
    const hit = box.current?.querySelector<HTMLElement>("[data-hit]");
    if (hit && box.current) box.current.scrollTop = hit.offsetTop - 96;
  }, [language, reason]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={box} className="code webhooks-snippet" aria-label={languages[language].file} tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a file never move
        <span key={index} className="ln" data-hit={hits.has(index) || undefined}>
          <u aria-hidden="true">{index + 1}</u>
          <span className={hits.has(index) ? "hit" : undefined}>{line}</span>
        </span>
      ))}
    </section>
  );
};

/** Verification code that is ready to be copied; marked is what refuses for a reason. */
export const Snippet = ({ reason = null }: { reason?: RejectReason | null }) => {
  const [language, choose] = useRemembered<Language>("snippet", "typescript", parse);
  const query = useQuery(snippetQuery(language));
  return (
    <div className="webhooks-code">
      <div className="row wrap">
        <Segmented label="Language" options={options} value={language} onChange={choose} />
        <span className="grow" />
        <span className="m11 t3 el">{languages[language].file}</span>
        {query.data !== undefined && <CopyButton text={query.data} what={`the ${languages[language].name} function`} />}
      </div>
      <Read of={query} what="the code" rows={8}>
        {(text) => <Code text={text} language={language} reason={reason} />}
      </Read>
    </div>
  );
};
