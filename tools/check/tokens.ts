/** A raw value that is right, with its reason. */
export interface TokenException {
  /** From `apps/web/src`. */
  file: string;
  values: string[];
  reason: string;
}

const TOKEN_EXCEPTIONS: TokenException[] = [
  {
    file: 'shared/device/theme.ts',
    values: ['#f8f6f3', '#171513'],
    reason: "the browser's toolbar takes no variable of a style sheet",
  },
  {
    file: 'features/sport-centers/map/map-palette.ts',
    values: ['#888', 'oklch(0.66'],
    reason: 'a map without tokens stays readable, and its parks are the only green',
  },
  {
    file: 'features/sport-centers/map/map.css',
    values: ['salmon'],
    reason: 'MapLibre looks for exactly this colour',
  },
];

const PALETTE =
  'slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose';
const NAMED =
  'aqua|black|blue|brown|coral|crimson|cyan|fuchsia|gold|gr[ae]y|green|indigo|ivory|khaki|lavender|lime|magenta|maroon|navy|olive|orange|orchid|pink|plum|purple|red|salmon|sienna|silver|snow|tan|teal|tomato|turquoise|violet|wheat|white|yellow';

/** The patterns find a raw colour in their last group. A private field of a class may look like one: `#add`. */
const HEX = '#(?:[\\da-f]{3,4}|[\\da-f]{6}|[\\da-f]{8})';
const COLORS = [
  new RegExp(`(?<=['"\`[_(,:]|\\w )(${HEX})(?=['"\`\\])_,/])`, 'gi'),
  /\b((?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(\s*[\d.]+)/gi,
  new RegExp(`\\b(?:[a-z]+-)+((?:${PALETTE})-\\d{2,3})\\b`, 'g'),
];
const CSS_COLORS = [
  new RegExp(`(?<=[\\s(,:])(${HEX})(?=[\\s),;])`, 'gi'),
  // Elsewhere such a word may be anything.
  new RegExp(`^\\s*(?!--)[\\w-]*(?:color|background|fill|stroke|border|shadow)[\\w-]*:.*?\\b(${NAMED})\\b`, 'gim'),
];
/** Fluid sizes fill the box of one figure, so they are no step of a scale: bounds, and a share of screen or container. */
const FLUID = /^(?:min|max|clamp)\(.*\d(?:vw|vh|cqi)/;
const SIZES: [RegExp, 'text' | 'radius'][] = [
  [/(?<![\w-])text-\[([^\]]+)\]/g, 'text'],
  [/(?<![\w-])rounded(?:-[a-z]{1,2})?-\[([^\]]+)\]/g, 'radius'],
  [/\bfont-?size:\s*['"]?([^\s'"][^;,'"\n}]*)/gi, 'text'],
  [/\bborder-?radius:\s*['"]?([^\s'"][^;,'"\n}]*)/gi, 'radius'],
];
const RADIUS_NAME = /(?<![\w-])rounded(?:-(?:[trblse]|[tb][lr]|[se]{2}))?-([a-z\d]+)\b/g;
const NAMED_RADII = ['full', 'none'];
/** A token, or half of a round thing. */
const FINE_SIZE = /^(?:var\(|999px|50%|0$)/;

/** Names of the tokens by value: `text` sizes and `radius`. */
export interface Tokens {
  text: ReadonlyMap<string, string>;
  radius: ReadonlyMap<string, string>;
}

/** Reads the tokens of the style sheet that defines them. */
export function readTokens(css: string): Tokens {
  const read = (kind: string) =>
    new Map(
      [...css.matchAll(new RegExp(`--${kind}-([\\w-]+): ([^;]+);`, 'g'))].map(([, name, value]) => [
        value ?? '',
        name ?? '',
      ]),
    );
  return { text: read('text'), radius: read('radius') };
}

/** Where a source or a style sheet has a colour, a text size or a radius that is no token, as `line: value: advice`. */
export function findRawValues(file: string, text: string, tokens: Tokens): string[] {
  const code = blankComments(text);
  const colors = file.endsWith('.css') ? [...COLORS, ...CSS_COLORS] : COLORS;
  const problems = colors.flatMap((pattern) => findAll(code, pattern, () => 'a token --color-…'));
  for (const [pattern, kind] of SIZES)
    problems.push(...findAll(code, pattern, (value) => adviseSize(value, tokens, kind)));
  const radii = [...tokens.radius.values(), ...NAMED_RADII];
  problems.push(
    ...findAll(code, RADIUS_NAME, (name) => (radii.includes(name) ? null : `a radius: ${radii.join(', ')}`)),
  );
  // Two patterns may find the same value.
  return [...new Set(problems.map(({ line, value, advice }) => `${line}: ${value}: use ${advice}`))];
}

function adviseSize(value: string, tokens: Tokens, kind: 'text' | 'radius'): string | null {
  if (FLUID.test(value) || FINE_SIZE.test(value)) return null;
  const name = tokens[kind].get(value.trim());
  return name ? `--${kind}-${name}` : `a token --${kind}-…`;
}

interface RawValue {
  line: number;
  value: string;
  advice: string;
}

/** `advise` returns null for a value that is right. */
function findAll(code: string, pattern: RegExp, advise: (value: string) => string | null): RawValue[] {
  return [...code.matchAll(pattern)].flatMap((match) => {
    const value = match[1] ?? '';
    const advice = advise(value);
    const line = code.slice(0, match.index + match[0].lastIndexOf(value)).split('\n').length;
    return advice === null ? [] : [{ line, value, advice }];
  });
}

/** Comments may name any value. Lines keep their numbers. */
function blankComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/[^\n]*/g, '$1');
}

/** The problems that no exception covers, and the exceptions that nothing needs any longer. `problems`: by file. */
export function applyExceptions(
  problems: ReadonlyMap<string, string[]>,
  exceptions: readonly TokenException[] = TOKEN_EXCEPTIONS,
): string[] {
  const isCovered = (file: string, problem: string) =>
    exceptions.some(
      (exception) => exception.file === file && exception.values.some((value) => problem.includes(`: ${value}`)),
    );
  const open = [...problems].flatMap(([file, found]) =>
    found.filter((problem) => !isCovered(file, problem)).map((problem) => `${file}:${problem}`),
  );
  const unused = exceptions.flatMap(({ file, values }) =>
    values
      .filter((value) => !problems.get(file)?.some((problem) => problem.includes(`: ${value}`)))
      .map((value) => `${file}: ${value} is gone, so its exception is too`),
  );
  return [...open, ...unused];
}
