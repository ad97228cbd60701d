/** The promises of a document: commands that exist, settings that the server reads, and decisions that are listed. */

/** An npm command as written in a document. */
export type DocumentedCommand = { text: string; script: string; args: string[] };

const NPM_BUILTINS = new Set(['ci', 'exec', 'i', 'init', 'install', 'version', 'view']);

/** Returns the text of code spans and code blocks, line by line. */
function readCode(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');
  return [...blocks.flatMap((block) => block.split('\n')), ...readSpans(markdown)];
}

function readSpans(markdown: string): string[] {
  const prose = markdown.replace(/^```[^\n]*\n[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
}

/**
 * Returns every `npm …` in a document's code that runs a script. Arguments are those after `--`, or before it `-w x`.
 */
export function findCommands(markdown: string): DocumentedCommand[] {
  return readCode(markdown).flatMap((line) =>
    [...line.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)((?: +[^\s;&|#]+)*)/g)].flatMap(([text, script = '', rest = '']) =>
      NPM_BUILTINS.has(script) ? [] : [{ text: text.trim(), script, args: rest.trim().split(/ +/).filter(Boolean) }],
    ),
  );
}

/** Returns the names in the first column of the table under the heading "Settings". */
export function findSettings(markdown: string): string[] {
  const section = /^#+ Settings\b.*\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(markdown)?.[1] ?? '';
  return [...section.matchAll(/^\| *`([A-Z][A-Z0-9_]*)`/gm)].map((match) => match[1] ?? '');
}

/** Returns the names that `env.ts` parses: the keys of its schema. */
export function findEnvNames(source: string): string[] {
  return [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map((match) => match[1] ?? '');
}

/**
 * Returns the names of settings and constants in code spans that are neither in `words`, those of the code, nor in the
 * document's own list of names from elsewhere: `<!-- not in the code: NAME -->`. Blocks may configure other programs.
 */
export function findUnknownNames(markdown: string, words: ReadonlySet<string>): string[] {
  const elsewhere = [...markdown.matchAll(/<!-- not in the code: ([^>]*) -->/g)].flatMap(([, list = '']) =>
    wordsOf(list),
  );
  const names = new Set(readSpans(markdown).flatMap(wordsOf));
  return [...names].filter((name) => !words.has(name) && !elsewhere.includes(name));
}

/** Returns the names of constants and settings in a text. */
export function wordsOf(text: string): string[] {
  return text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? [];
}

/** Returns the problems of the figures of fault programs that README.md repeats: '0 of 4,115 ops'. */
export function findStaleFigures(readme: string, faults: string): string[] {
  const figures = [...readme.matchAll(/\d[\d,]* of \d[\d,]* \w+/g)].map(([figure]) => figure);
  return figures
    .filter((figure) => !faults.includes(figure))
    .map((figure) => `README.md: faults/README.md does not say "${figure}"`);
}

/** A decision's title, date and status, as its file and the index name them. */
const DECISION = /^# (\d{3}) · (.+)\n\nDate: (\d{4}-\d\d-\d\d)\nStatus: (accepted|superseded by \d{3})\n/;

/** Returns the problems of the decisions: `files` by name, and the index, which has a row for each. */
export function findDecisionProblems(files: ReadonlyMap<string, string>, index: string): string[] {
  const rows = new Set(index.split('\n').filter((line) => line.startsWith('| [')));
  const problems: string[] = [];
  for (const [name, text] of files) {
    const [, number, title, date, status] = DECISION.exec(text) ?? [];
    if (number === undefined || !name.startsWith(`${number}-`)) {
      problems.push(`${name} does not begin with its number and title, a date and a status`);
    } else if (
      !rows.delete(`| [${number}] | ${title} | ${date} | ${status} |`) ||
      !index.includes(`[${number}]: ${name}\n`)
    ) {
      problems.push(`${name} has no row with its title, date and status in the index`);
    }
  }
  return [...problems, ...[...rows].map((row) => `the index has a row for no decision: ${row}`)];
}

/** The project's files and scripts, looked up by path and by name. */
export type Project = {
  hasScript: (script: string, workspace?: string) => boolean;
  hasFile: (path: string) => boolean;
};

const TEST_PARTS = ['unit', 'web', 'screens', 'api', 'e2e', 'check'];
const isWord = (arg: string): boolean => /^[a-z]/.test(arg);

/** Returns why a documented command cannot work, or null. Placeholders such as `<file>` are not checked. */
export function findCommandProblem({ script, args }: DocumentedCommand, project: Project): string | null {
  const split = args.indexOf('--');
  const npm_args = split < 0 ? args : args.slice(0, split);
  const script_args = split < 0 ? [] : args.slice(split + 1);
  const at = npm_args.indexOf('-w');
  const workspace = at < 0 ? undefined : npm_args[at + 1];
  if (!project.hasScript(script, workspace)) return `no script "${script}"`;
  const [first, second] = script_args;
  if (first === undefined || !isWord(first)) return null;
  if (script === 'sendlap') {
    if (second === undefined || !isWord(second)) return null;
    const files = [`apps/api/src/cli/${first}-${second}.ts`, `apps/api/src/cli/${first}/${second}.ts`];
    return files.some(project.hasFile) ? null : `no ${files[0]}`;
  }
  if (script === 'bench' || script === 'faults') {
    const missing = script_args.filter(isWord).find((name) => !project.hasFile(`${script}/${name}.ts`));
    return missing ? `no ${script}/${missing}.ts` : null;
  }
  if (script === 'test' && !TEST_PARTS.includes(first)) return `no part "${first}"`;
  return null;
}
