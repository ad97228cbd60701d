import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { hasSignedInUser } from '#web/shared/api/tab-session.ts';
import { deviceStorage } from '#web/shared/device/device-storage.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { KioskLanguage } from './KioskLanguage.tsx';
import { kiosk } from './kiosk-client.ts';
import type { Unpaired } from './kiosk-state.ts';
import { readPairingCode } from './pairing-code.ts';

/** Shown before a tablet is a kiosk: the operator types the code. A scanned code comes with the address. */
export function PairingScreen({ state }: { state: Unpaired }) {
  const { t } = useTranslation('kiosk');
  const problem = useProblem(state);
  const [signed_in] = useState(() => hasSignedInUser(deviceStorage));
  return (
    <main className="mx-auto flex w-full max-w-[520px] flex-1 flex-col justify-center gap-5 px-safe py-8 sm:max-w-[44rem] sm:gap-7">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <BrandMark size={48} className="text-ink" />
        <KioskLanguage />
      </div>
      <div>
        <h1 className="text-[clamp(1.625rem,6vw,3rem)] leading-tight font-extrabold tracking-tight">
          {t('pair.title')}
        </h1>
        <p className="mt-3 text-body text-ink-soft sm:text-lg">{t('pair.text')}</p>
      </div>
      {problem && <Problem>{problem}</Problem>}
      {signed_in ? (
        <>
          <Problem>{t('pair.signedIn')}</Problem>
          {/* A full page load, not client-side navigation: the signed-in user belongs to the app, not to the kiosk. */}
          <a href={PATHS.profile} className={buttonClasses('primary', 'md', true)}>
            {t('pair.toAccount')}
          </a>
        </>
      ) : (
        <CodeForm is_pairing={state.is_pairing} />
      )}
      <Link href={PATHS.kioskSetUp} className={buttonClasses('quiet', 'md', true)}>
        {t('pair.setUp')}
      </Link>
    </main>
  );
}

function CodeForm({ is_pairing }: { is_pairing: boolean }) {
  const { t } = useTranslation('kiosk');
  const [text, setText] = useState('');
  const [malformed, setMalformed] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = readPairingCode(text);
    setMalformed(code === null);
    if (code !== null) void kiosk.pair(code);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t('pair.code')}
        hint={t('pair.hint')}
        error={malformed ? t('pair.malformed') : null}
        value={text}
        onChange={(event) => setText(event.target.value)}
        is_code
        enterKeyHint="go"
      />
      <Button type="submit" wide busy={is_pairing}>
        {t('pair.submit')}
      </Button>
    </form>
  );
}

function useProblem({ problem, is_revoked }: Unpaired): string | null {
  const { t } = useTranslation('kiosk');
  const errorText = useErrorText();
  if (globalThis.crypto?.subtle === undefined) return t('pair.insecure');
  if (problem === null) return is_revoked ? t('pair.revoked') : null;
  // The tablet's connection is not to blame.
  if (problem instanceof ApiError && problem.status >= 500) return errorText(problem);
  if (isUnreachable(problem)) return t('pair.offline');
  if (!(problem instanceof ApiError)) return t('pair.storage');
  if (problem.backend_error === 'invite_unknown') return t('pair.unknown');
  return problem.backend_error === 'invite_invalid' ? t('pair.refused') : errorText(problem);
}
