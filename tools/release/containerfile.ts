/** What a Containerfile says of its image: the parts that tests compare and that `faults/image.ts` runs. */
export interface Containerfile {
  /** Paths of the project that it copies. */
  sources: string[];
  environment: Record<string, string>;
  user: string;
  command: string[];
  health_check: string[];
}

/** Reads the instructions that our Containerfile uses. Throws if one of them is missing. */
export function readContainerfile(text: string): Containerfile {
  const lines = text.replaceAll(/\\\n/g, ' ').split('\n');
  const of = (instruction: string) =>
    lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));
  const last = (instruction: string) => {
    const found = of(instruction).at(-1);
    if (found === undefined) throw new Error(`the Containerfile has no ${instruction}`);
    return found;
  };
  const listIn = (words: string) => JSON.parse(words.slice(words.indexOf('['))) as string[];
  return {
    sources: of('COPY').flatMap((words) => (words.startsWith('--') ? [] : words.split(' ').slice(0, -1))),
    environment: Object.fromEntries(
      of('ENV').flatMap((words) => words.split(' ').map((pair) => pair.split('=') as [string, string])),
    ),
    user: last('USER'),
    command: listIn(last('CMD')),
    health_check: listIn(last('HEALTHCHECK')),
  };
}
