import '#web/shared/ui/icons/icon-paths.ts';
import { type ReactNode, Suspense } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { CONTROLS } from './examples/controls.tsx';
import type { Example, Examples } from './examples/example.ts';
import { ACTIVITY_LISTS } from './examples/features/activity-lists.tsx';
import { ACTIVITY_PARTS } from './examples/features/activity-parts.tsx';
import { APP, PEOPLE_PARTS } from './examples/features/app.tsx';
import { AUTH } from './examples/features/auth.tsx';
import { BADGE_PARTS } from './examples/features/badges.tsx';
import { CENTER_MANAGEMENT, CLAIMS } from './examples/features/center-management.tsx';
import { CHATS } from './examples/features/chats.tsx';
import { CODES } from './examples/features/codes.tsx';
import { DASHBOARD } from './examples/features/dashboard.tsx';
import { FRIEND_PARTS } from './examples/features/friends.tsx';
import { KIOSK } from './examples/features/kiosk.tsx';
import { LEADERBOARDS } from './examples/features/leaderboards.tsx';
import { SERVER_MANAGEMENT } from './examples/features/server-management.tsx';
import { NOTIFICATIONS, USERS } from './examples/features/settings.tsx';
import { SETUP } from './examples/features/setup.tsx';
import { SPORT_CENTERS } from './examples/features/sport-centers.tsx';
import { FEEDBACK } from './examples/feedback.tsx';
import { FORMS } from './examples/forms.tsx';
import { LAYOUT } from './examples/layout.tsx';
import { MARKS } from './examples/marks.tsx';
import { SAMPLES } from './examples/samples.ts';
import { GallerySwitches } from './GallerySwitches.tsx';

/** Every component that `components.ts` lists, by its file in `src`. */
export const EXAMPLES: Examples = {
  ...inFolder('shared/ui', { ...LAYOUT, ...MARKS, ...CONTROLS, ...FORMS, ...FEEDBACK }),
  ...inFolder('shared/people', PEOPLE_PARTS),
  ...inFolder('app', APP),
  ...inFolder('features/activities', { ...ACTIVITY_LISTS, ...ACTIVITY_PARTS }),
  ...inFolder('features/auth', AUTH),
  ...inFolder('features/badges', BADGE_PARTS),
  ...inFolder('features/center-management', CENTER_MANAGEMENT),
  ...inFolder('features/chats', CHATS),
  ...inFolder('features/claims', CLAIMS),
  ...inFolder('features/dashboard', DASHBOARD),
  ...inFolder('features/friends', FRIEND_PARTS),
  ...inFolder('features/kiosk', KIOSK),
  ...inFolder('features/leaderboards', LEADERBOARDS),
  ...inFolder('features/notifications', NOTIFICATIONS),
  ...inFolder('features/qr', CODES),
  ...inFolder('features/server-management', SERVER_MANAGEMENT),
  ...inFolder('features/setup', SETUP),
  ...inFolder('features/sport-centers', SPORT_CENTERS),
  ...inFolder('features/users', USERS),
};

function inFolder(folder: string, examples: Examples): Examples {
  return Object.fromEntries(Object.entries(examples).map(([file, states]) => [`${folder}/${file}`, states]));
}

/** The page at `/dev/ui`: components in their states. In English only, around components in both languages. */
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
        {nameOf(file)} <span className="text-sm font-normal text-ink-faint">{file}.tsx</span>
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
