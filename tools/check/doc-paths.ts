import { posix } from 'node:path';

/** Endings of file names that a document may mention without a folder. */
const ENDINGS = /\.(?:ts|tsx|mjs|md|json|jsonl|css|sql|svg|png|yml|grit)$/;
/** Folders that a build, a test run or the server makes. */
const GENERATED = /^(?:node_modules|dist|\.cache|\.data)$/;
const PATH = /^[\w.*+-]+(?:\/[\w.@*+-]+)*\/?$/;

/** The project's files and folders, relative to its root, with `/` between the parts. */
export type Tree = {
  /** All paths that a short form may end. */
  paths: readonly string[];
  /** For paths that `paths` leaves out, such as those that begin with a dot. */
  exists: (path: string) => boolean;
  /** Names of the packages that the project declares: `zod/mini` is a part of one, not a path. */
  packages: ReadonlySet<string>;
};

/**
 * Returns what a document says about paths that do not exist, as `line: …`. `document`: its path from the root. Files
 * that a guide lets its reader create are listed in a comment, `<!-- new files: a.ts, b.ts -->`.
 */
export function findMissingPaths(document: string, markdown: string, tree: Tree): string[] {
  const problems: string[] = [];
  const planned = plannedIn(markdown);
  withoutBlocks(markdown)
    .split('\n')
    .forEach((line, index) => {
      for (const [, code = ''] of line.matchAll(/`([^`]+)`/g)) {
        if (isPath(code, tree) && !planned.has(code) && !isKnown(code, tree))
          problems.push(`${index + 1}: \`${code}\`: no such file or folder`);
      }
      for (const target of linksOf(line)) {
        if (!isTarget(document, target, tree)) problems.push(`${index + 1}: link to ${target}: no such file or folder`);
      }
    });
  return problems;
}

/** Returns the text of a picture as a document whose paths are code. */
export function textOfPicture(svg: string): string {
  return svg.replace(/>([^<]*)</g, (_match, words: string) => `>${words.replace(/[^\s,;:]*[/.][^\s,;:]*/g, '`$&`')}<`);
}

function plannedIn(markdown: string): Set<string> {
  const lists = [...markdown.matchAll(/<!-- new files: ([^>]*) -->/g)];
  return new Set(lists.flatMap(([, list = '']) => list.split(/[\s,]+/)));
}

/** Empties code blocks, and keeps their lines for the line numbers. */
function withoutBlocks(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]+/g, ''));
}

/** Links and pictures in the line, and the definition of a link if it is one. */
function linksOf(line: string): string[] {
  const prose = line.replace(/`[^`]*`/g, '``');
  const inline = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const [, defined] = /^\[[^\]]+\]: +(\S+)/.exec(prose) ?? [];
  return defined === undefined ? inline : [...inline, defined];
}

function isTarget(document: string, target: string, tree: Tree): boolean {
  if (/^[a-z][a-z+.-]*:/.test(target)) return true;
  const [file = ''] = target.split('#');
  if (file === '') return true;
  return exists(posix.join(posix.dirname(document), decodeURI(file)), tree);
}

/** Code that looks like a path of this project, and not like an address, the path of a call or an npm package. */
function isPath(code: string, tree: Tree): boolean {
  if (!PATH.test(code)) return false;
  const [first = '', ...rest] = code.split('/');
  // A name with an ending; `.tsx` alone is an ending.
  if (rest.length === 0) return ENDINGS.test(code) && !/^\.\w+$/.test(code);
  // `DATA_DIR/overpass` is in a folder that a setting names.
  const is_elsewhere = [first, ...rest].some((part) => GENERATED.test(part)) || /^[A-Z][A-Z0-9_]+$/.test(first);
  return !is_elsewhere && !tree.packages.has(first);
}

/** True for a path from the root and for a short form: the last parts of one. A `*` is any part of a name. */
function isKnown(code: string, tree: Tree): boolean {
  const path = code.replace(/\/$/, '');
  if (exists(path, tree)) return true;
  const pattern = path.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*');
  const ending = new RegExp(`(?:^|/)${pattern}$`);
  return tree.paths.some((known) => ending.test(known));
}

function exists(path: string, { paths, exists: isThere }: Tree): boolean {
  return paths.includes(path) || isThere(path);
}
