import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A change of one place in the project's own code, made while it is loaded: what a program must notice. */
export interface Slip {
  /** How the file's path ends. */
  file: string;
  find: string;
  replace: string;
}

/**
 * Makes these changes in every module of this process that is loaded from now on; files stay as they are. A change whose
 * place is not there ends the process with an error, so that a control arm never runs against the unchanged code.
 */
export function slip(slips: readonly Slip[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const mine = slips.filter(({ file }) => url.endsWith(`/${file}`));
      if (mine.length === 0) return nextLoad(url, context);
      const source = applySlips(readFileSync(fileURLToPath(url), 'utf8'), mine);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

/** The source with these changes. Throws if one has no place in it. */
export function applySlips(source: string, slips: readonly Slip[]): string {
  return slips.reduce((text, { file, find, replace }) => {
    const place = placeOf(find);
    if (!place.test(text)) throw new Error(`${file} does not say: ${find}`);
    return text.replace(place, () => replace);
  }, source);
}

/** However the lines are broken. */
function placeOf(text: string): RegExp {
  const words = text.trim().split(/\s+/);
  return new RegExp(words.map((word) => RegExp.escape(word)).join('\\s+'));
}
