/** Prompts of cmd and PowerShell, which may be copied with a command. */
const WINDOWS_PROMPT = /^[ \t]*(?:PS )?[A-Z]:\\[^>\n]*>[ \t]*/gim;
/** `me@host:~/work$ `, `[me@host work]$ ` and the like. */
const POSIX_PROMPT =
  /^[ \t]*(?:\([\w.-]{1,64}\)[ \t]*)?\[?[\w.-]{1,64}@[\w.-]{1,64}[^\n$#%'"]{0,300}[$#%][ \t]+(?=\S{0,300}curl)/gm;
/** Prompts of PowerShell and cmd for a command's next line. */
const NEXT_LINE_PROMPT = /(\n)[ \t]*(?:>>|More\?)(?:[ \t]+|(?=\r?\n|$))/g;
/** A body may have such lines, too; a prompt begins with the second line. */
const HAS_NEXT_LINE_PROMPT = /curl(?:\.exe)?["' \t][^\n]*\n[ \t]*(?:>>|More\?)/i;
/** The same of a POSIX shell, after a backslash and before an option or an address. */
const POSIX_NEXT_LINE_PROMPT = /(\\\r?\n)>[ \t]+(?=['"]?(?:-|https?:))/g;

/** PowerShell's call operator, and the folder of the program, quoted or not. */
const QUOTED_PROGRAM = /^([ \t]*)(?:&[ \t]*)?(["'])(?:[^"'\n]*[/\\])?curl(\.exe)?\2(?=[ \t])/gim;
const PROGRAM = /^([ \t]*)(?:&[ \t]*(?:[^\s"']*[/\\])?|[^\s"'/]*\\)curl(\.exe)?(?=[ \t])/gim;

/** Returns a text copied from a terminal without its prompts, and with `curl` for a path to it. */
export const withoutPrompts = (text: string): string => {
  const plain = text.replaceAll(WINDOWS_PROMPT, "").replaceAll(POSIX_PROMPT, "");
  return (HAS_NEXT_LINE_PROMPT.test(plain) ? plain.replaceAll(NEXT_LINE_PROMPT, "$1") : plain)
    .replaceAll(POSIX_NEXT_LINE_PROMPT, "$1")
    .replaceAll(QUOTED_PROGRAM, "$1curl$3")
    .replaceAll(PROGRAM, "$1curl$2");
};
