import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A source edit of the project's own code, applied while it is loaded: the program under test must notice it. */
export interface SourcePatch {
  /** The end of the file's path. */
  file: string;
  find: string;
  replace: string;
}

let is_code_changed = false;

/** Whether this process runs other code than the project's: a control arm. */
export const isCodeChanged = () => is_code_changed;

/**
 * Applies these edits to every module that this process loads from now on; files stay as they are. An edit whose text
 * is not found ends the process with an error, so that a control arm never runs against unchanged code.
 */
export function patchSources(patches: readonly SourcePatch[]): void {
  is_code_changed = true;
  registerHooks({
    load(url, context, nextLoad) {
      const mine = patches.filter(({ file }) => url.endsWith(`/${file}`));
      if (mine.length === 0) return nextLoad(url, context);
      const source = applyPatches(readFileSync(fileURLToPath(url), 'utf8'), mine);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

/** Returns the source with these edits. Throws if the text of one is not found. */
export function applyPatches(source: string, patches: readonly SourcePatch[]): string {
  return patches.reduce((text, { file, find, replace }) => {
    const pattern = patternOf(find);
    if (!pattern.test(text)) throw new Error(`${file} does not say: ${find}`);
    return text.replace(pattern, () => replace);
  }, source);
}

/** Matches the text however its lines are broken. */
function patternOf(text: string): RegExp {
  const words = text.trim().split(/\s+/);
  return new RegExp(words.map((word) => RegExp.escape(word)).join('\\s+'));
}
