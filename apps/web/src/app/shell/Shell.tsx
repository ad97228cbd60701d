import { SignInLayout } from '#web/features/auth/SignInLayout.tsx';
import en from '#web/shared/i18n/en/auth.json';
import es from '#web/shared/i18n/es/auth.json';
import { ShellApp } from './ShellApp.tsx';

/**
 * The content of index.html before any script runs: the sign-in page for visitors and an empty app frame for users.
 * boot.js and styles.css show one of the two, in one of the two languages.
 */
export function Shell() {
  return (
    <>
      <div className="shell-sign-in flex min-h-dvh flex-1 flex-col">
        <SignInLayout
          tagline={<BothLanguages en={en.tagline} es={es.tagline} />}
          pitch={<BothLanguages en={en.pitch} es={es.pitch} />}
        />
      </div>
      <div className="shell-app flex min-h-dvh flex-1 flex-col">
        <ShellApp />
      </div>
    </>
  );
}

function BothLanguages(texts: { en: string; es: string }) {
  return (
    <span className="shell-text">
      <span data-lang="en">{texts.en}</span>
      <span data-lang="es">{texts.es}</span>
    </span>
  );
}
