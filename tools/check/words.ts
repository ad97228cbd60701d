/** Block comments, line comments that follow a space or begin a line, and SQL comments that begin a line. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|^--[^\n]*/gm;

/** Vague subjects and literal phrases, which make a comment need a second reading, and what to write instead. */
const BANNED: [phrase: RegExp, instead: string][] = [
  [/\b(?:nobody|somebody|whoever)\b/i, 'name the user, athlete, caller or node'],
  [/\bwhat (?:is|was)\b/i, 'use the noun'],
  [/\bstands\b/i, 'is, is shown, counts'],
  [/\bmeanwhile\b/i, 'say during which call'],
  [/\bany more\b/i, 'no longer'],
  [/\bGives\b/, 'Returns'],
  [/\b(?:is|are) none\b/i, 'say what is missing'],
  [/\banew\b/i, 'again'],
  [/\bof before\b/i, 'previous'],
];

/** Where the comments of a file use a banned phrase, as `line: phrase: what to write instead`. */
export function findBannedWords(text: string): string[] {
  const problems: string[] = [];
  for (const comment of text.matchAll(COMMENT)) {
    const line = text.slice(0, comment.index).split('\n').length;
    comment[0].split('\n').forEach((words, offset) => {
      for (const [phrase, instead] of BANNED) {
        const found = phrase.exec(words)?.[0];
        if (found) problems.push(`${line + offset}: "${found}": ${instead}`);
      }
    });
  }
  return problems;
}
