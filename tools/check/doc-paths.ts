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
  /** The text of a document. */
  read: (path: string) => string;
  /** Names of the packages that the project declares: `zod/mini` is a part of one, not a path. */
  packages: ReadonlySet<string>;
};

/** Where a path is named: the folders that its paragraph, list item or row names, and those of the whole section. */
type Context = { nearby: readonly string[]; section: readonly string[] };

/** The beginning of a paragraph, a list item, a row or a heading. */
const BLOCK_START = /^\s*$|^\s*(?:[-*]|\d+\.) |^\||^#|^\*\*/;

/**
 * Returns what a document says about paths that do not exist, as `line: …`. `document`: its path from the root. Files
 * that a guide lets its reader create are listed in a comment, `<!-- new files: a.ts, b.ts -->`.
 */
export function findMissingPaths(document: string, markdown: string, tree: Tree): string[] {
  const planned = plannedIn(markdown);
  let first_line = 1;
  return splitBefore(withoutBlocks(markdown), /^#/).flatMap((lines) => {
    const section = foldersIn(lines, tree);
    return splitBefore(lines, BLOCK_START).flatMap((block) => {
      const context = { nearby: foldersIn(block, tree), section };
      return block.flatMap((line) => findInLine(line, first_line++, { document, planned, context, tree }));
    });
  });
}

type Place = { document: string; planned: ReadonlySet<string>; context: Context; tree: Tree };

function findInLine(line: string, number: number, { document, planned, context, tree }: Place): string[] {
  const paths = codesOf(line).filter((code) => isPath(code, tree) && !planned.has(code));
  return [
    ...paths.flatMap((code) => {
      const problem = findProblem(code, context, tree);
      return problem ? [`${number}: \`${code}\`: ${problem}`] : [];
    }),
    ...linksOf(line).flatMap((target) => {
      const problem = findLinkProblem(document, target, tree);
      return problem ? [`${number}: link to ${target}: ${problem}`] : [];
    }),
  ];
}

/** Divides lines before each one that matches. */
function splitBefore(lines: readonly string[], start: RegExp): string[][] {
  const parts: string[][] = [];
  for (const line of lines) {
    if (parts.length === 0 || start.test(line)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}

/** Returns the folders that lines name, also by the path of a file in them. A short form of several names none. */
function foldersIn(lines: readonly string[], tree: Tree): string[] {
  return lines.flatMap(codesOf).flatMap((code) => {
    if (!code.includes('/') || !isPath(code, tree)) return [];
    const found = findAll(code, tree);
    if (found.length > 1 && !code.includes('*')) return [];
    return found.map((path) => (ENDINGS.test(path) ? posix.dirname(path) : path));
  });
}

/** Returns the text of a picture as a document whose paths are code. */
export function textOfPicture(svg: string): string {
  return svg.replace(/>([^<]*)</g, (_match, words: string) => `>${words.replace(/[^\s,;:]*[/.][^\s,;:]*/g, '`$&`')}<`);
}

function plannedIn(markdown: string): Set<string> {
  const lists = [...markdown.matchAll(/<!-- new files: ([^>]*) -->/g)];
  return new Set(lists.flatMap(([, list = '']) => list.split(/[\s,]+/)));
}

/** Returns the lines, those of code blocks empty. */
function withoutBlocks(markdown: string): string[] {
  return markdown.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]+/g, '')).split('\n');
}

function codesOf(line: string): string[] {
  return [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Links and pictures in the line, and the definition of a link if it is one. */
function linksOf(line: string): string[] {
  const prose = line.replace(/`[^`]*`/g, '``');
  const inline = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const [, defined] = /^\[[^\]]+\]: +(\S+)/.exec(prose) ?? [];
  return defined === undefined ? inline : [...inline, defined];
}

function findLinkProblem(document: string, target: string, tree: Tree): string | null {
  if (/^[a-z][a-z+.-]*:/.test(target)) return null;
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? document : posix.join(posix.dirname(document), decodeURI(file));
  if (!exists(path, tree)) return 'no such file or folder';
  if (anchor === undefined || !path.endsWith('.md')) return null;
  return anchorsOf(tree.read(path)).includes(anchor) ? null : 'no such heading';
}

/** Returns the anchors that GitHub gives to the headings. */
function anchorsOf(markdown: string): string[] {
  return withoutBlocks(markdown).flatMap((line) => {
    const [, heading] = /^#+ +(.+)/.exec(line) ?? [];
    return heading === undefined
      ? []
      : [
          heading
            .toLowerCase()
            .replace(/[^\p{L}\p{N}\s_-]/gu, '')
            .replaceAll(' ', '-'),
        ];
  });
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

/**
 * Returns why a path says no file or folder, or null. A path from the root is one, and so is a short form: the last
 * parts of a path that lies in a folder which the text beside it names, or that only one file of the project has.
 */
function findProblem(code: string, { nearby, section }: Context, tree: Tree): string | null {
  if (exists(code.replace(/\/$/, ''), tree)) return null;
  const found = findAll(code, tree);
  if (found.length === 0) return 'no such file or folder';
  const folders = [...nearby, ...section];
  if (code.includes('*') || found.some((path) => folders.some((folder) => path.startsWith(`${folder}/`)))) return null;
  if (nearby.length > 0 && !code.includes('/')) return `none in the folders named beside it, but ${found.join(', ')}`;
  return found.length === 1 ? null : `one of ${found.slice(0, 4).join(', ')}: name its folder`;
}

/** Returns the paths from the root that a path or a short form names. A `*` is any part of a name. */
function findAll(code: string, tree: Tree): string[] {
  const path = code.replace(/\/$/, '');
  if (exists(path, tree)) return [path];
  const pattern = path.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*');
  const ending = new RegExp(`(?:^|/)${pattern}$`);
  return tree.paths.filter((known) => ending.test(known));
}

function exists(path: string, { paths, exists: isThere }: Tree): boolean {
  return paths.includes(path) || isThere(path);
}
