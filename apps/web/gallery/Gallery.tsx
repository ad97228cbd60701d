import '#web/shared/ui/icons/icon-paths.ts';
import { type ReactNode, Suspense } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { CONTROLS } from './examples/controls.tsx';
import type { Example, Examples } from './examples/example.ts';
import { FEEDBACK } from './examples/feedback.tsx';
import { FORMS } from './examples/forms.tsx';
import { LAYOUT } from './examples/layout.tsx';
import { MARKS } from './examples/marks.tsx';
import { SAMPLES } from './examples/samples.ts';
import { GallerySwitches } from './GallerySwitches.tsx';

/** Every component of `shared/ui`. */
export const EXAMPLES: Examples = { ...LAYOUT, ...MARKS, ...CONTROLS, ...FORMS, ...FEEDBACK };

/** The page at `/dev/ui`: every component of `shared/ui` in its states. In English only, around components in both. */
export function Gallery() {
  const language = useLanguage();
  return (
    <main className="mx-auto w-full max-w-[1120px] px-safe pt-4 pb-24">
      <h1 className="text-3xl font-bold">Components</h1>
      <div className="sticky top-0 z-20 bg-page py-3">
        <GallerySwitches language={language} />
      </div>
      <ul className="mb-6 flex flex-wrap gap-x-4 text-sm">
        {Object.keys(EXAMPLES).map((file) => (
          <li key={file}>
            <a href={`#${file}`} className="inline-flex min-h-8 items-center text-accent-ink underline">
              {nameOf(file)}
            </a>
          </li>
        ))}
      </ul>
      {Object.entries(EXAMPLES).map(([file, examples]) => (
        <Component key={file} file={file} examples={examples} />
      ))}
    </main>
  );
}

function Component({ file, examples }: { file: string; examples: Example[] }) {
  const language = useLanguage();
  return (
    <section id={file} aria-label={nameOf(file)} className="scroll-mt-24 border-t border-line py-6">
      <h2 className="mb-4 text-xl font-bold">
        {nameOf(file)} <span className="text-sm font-normal text-ink-faint">shared/ui/{file}.tsx</span>
      </h2>
      <div className="flex flex-wrap items-start gap-6">
        {examples.map(({ state, wide, render }) => (
          <Frame key={state} state={state} wide={wide}>
            {render(SAMPLES[language])}
          </Frame>
        ))}
      </div>
    </section>
  );
}

/** As wide as a phone leaves it, so that a text that is too long shows. */
function Frame({ state, wide, children }: { state: string; wide: boolean | undefined; children: ReactNode }) {
  return (
    <figure className={wide ? 'w-full' : 'w-full max-w-[358px]'}>
      <figcaption className="mb-2 text-sm text-ink-faint">{state}</figcaption>
      <Suspense fallback={null}>{children}</Suspense>
    </figure>
  );
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
