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
  [/\b(?:is|are) none\b/i, 'say which part is missing'],
  [/\banew\b/i, 'again'],
  [/\bof before\b/i, 'previous'],
];

/** Where a text uses a banned phrase, as `line: phrase: what to write instead`. */
export function findBannedWords(text: string, first_line = 1): string[] {
  return text.split('\n').flatMap((words, offset) =>
    BANNED.flatMap(([phrase, instead]) => {
      const found = phrase.exec(words)?.[0];
      return found ? [`${first_line + offset}: "${found}": ${instead}`] : [];
    }),
  );
}

/** Where the comments of a file use a banned phrase. */
export function findBannedComments(text: string): string[] {
  return [...text.matchAll(COMMENT)].flatMap((comment) =>
    findBannedWords(comment[0], text.slice(0, comment.index).split('\n').length),
  );
}

/** A comment, a regular expression, or the text of a string or a template; only the last is captured. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=(?:[(,=:[!&|?{;>]|\breturn)\s*)\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`)/g;

/** Where a sentence of a program, such as an error or a report, uses a banned phrase. A text of one word is a name. */
export function findBannedTexts(text: string): string[] {
  return [...text.matchAll(TOKEN)].flatMap((token) => {
    const words = token.groups?.text ?? '';
    return words.includes(' ') ? findBannedWords(words, text.slice(0, token.index).split('\n').length) : [];
  });
}

/** A title without a subject: its first word, after `test(`, `it(` or `describe(`, or after the rows of `each`. */
const VAGUE_TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*\(|[\])\w]\)\()\s*['"`](?<word>who|whose|what)\b/gi;

/** Where a title of a test begins with a word that names no subject. */
export function findVagueTitles(text: string): string[] {
  return [...text.matchAll(VAGUE_TITLE)].map((title) => {
    const line = text.slice(0, title.index + title[0].length).split('\n').length;
    return `${line}: "${title.groups?.word}": name the user, request, message, file or screen`;
  });
}
