import { parseArgs } from 'node:util';

export type ImportArguments = {
  /** A file, or `overpass:` and an area. */
  from: string;
  dry_run: boolean;
  json: boolean;
  help: boolean;
  complete: boolean;
  yes: boolean;
  fresh: boolean;
  report?: string;
  mapping?: string;
  source?: string;
  licence?: string;
  endpoint?: string;
};

export const IMPORT_USAGE = `npm run sendlap -- centers import <file> [options]
npm run sendlap -- centers import overpass:<town or west,south,east,north> [options]

Imports sport centers: from GeoJSON, from Overpass JSON, from a table (CSV) with a mapping file, or live from an Overpass
server. All of it or nothing is written; running it again changes nothing. Files of more than 200 MB have to be GeoJSON
text sequences (RFC 8142, or one feature a line).

  --dry-run          say what would happen, write nothing
  --json             print the report as JSON
  --report <file>    write the whole report, with every refusal, merge and closed center, as JSON
  --source <name>    where the records come from, if their ids do not say it
  --licence <text>   the licence of the records, if the file does not state it
  --mapping <file>   what the columns of a table mean, see below
  --complete         the file holds all of its source: centers of that source that are not in it are closed. An area of
                     an Overpass server is always complete
  --yes              close more than a third of a source's open centers
  --endpoint <url>   the Overpass server, in place of OVERPASS_URL
  --fresh            ask the Overpass server again for what it answered within the last day

A closed center stays where activities point at it, is found no more, and opens again when a file has it.

A mapping file, the fields from "ref" on as far as the table has them:
  {
    "columns": { "name": "Name", "latitude": "Lat", "longitude": "Lon", "ref": "Id", "address": "Street", "city": "Town",
                 "country": "Country", "phone": "Phone", "url": "Web" },
    "sports": ["climbing"]   or   { "column": "Kind", "values": { "Boulder hall": ["climbing"], "Bath": ["swimming"] } },
    "source": "city-of-x", "licence": "CC-BY-4.0", "attribution": "City of X",
    "is_private": { "column": "Access", "true": ["members"], "false": ["public"] },
    "delimiter": ";", "encoding": "latin1"
  }
"source", "licence" and "attribution" have to be there; "delimiter" is a comma and "encoding" utf-8 if not said.

Exit code: 0 imported, 1 refused (nothing was changed) or no usable center in it, 2 wrong usage.
`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  complete: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  fresh: { type: 'boolean', default: false },
  report: { type: 'string' },
  mapping: { type: 'string' },
  source: { type: 'string' },
  licence: { type: 'string' },
  endpoint: { type: 'string' },
} as const;

/** The operator's words, or what is wrong with them. */
export function readArguments(args: string[]): ImportArguments | string {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const { 'dry-run': dry_run, ...rest } = values;
    const [from = ''] = positionals;
    const parsed = { ...rest, from, dry_run };
    return parsed.help ? parsed : (findMisuse(parsed, positionals.length) ?? parsed);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function findMisuse(parsed: ImportArguments, count: number): string | null {
  if (count !== 1) return 'Name exactly one file or area.';
  if (parsed.source !== undefined && !/^[\w.-]{1,60}$/.test(parsed.source)) {
    return '--source takes up to 60 letters, digits, dots, dashes and underscores.';
  }
  if (isArea(parsed)) {
    const odd = (['source', 'mapping'] as const).find((option) => parsed[option] !== undefined);
    if (odd !== undefined) return `--${odd} is for files.`;
  } else if (parsed.endpoint !== undefined || parsed.fresh) return '--endpoint and --fresh are for overpass:<area>.';
  if (parsed.endpoint !== undefined && !/^https?:\/\//.test(parsed.endpoint)) return '--endpoint takes an http(s) URL.';
  return null;
}

export function isArea({ from }: { from: string }): boolean {
  return from.startsWith('overpass:');
}
