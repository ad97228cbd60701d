import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ApiError } from '#web/shared/api/errors.ts';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Spinner } from '#web/shared/ui/Spinner.tsx';
import { useSignInMessage } from './messages.ts';
import { completeCallback, readCallback, SignInError } from './sign-in.ts';

/** How long a failure is shown before the way back to sign-in. */
const FAILURE_SHOWN_MS = 2000;

/** What the sign-in page is told: a code of the catalogue or one of the spec's sentences. */
function reasonOf(error: unknown): string {
  if (error instanceof SignInError) return error.message;
  return (error instanceof ApiError && error.backend_error) || 'Authentication failed';
}

/** Where the provider sends the browser: exchanges the code, or goes back to sign-in with the reason. */
export function CallbackPage() {
  const { t } = useTranslation('auth');
  const message = useSignInMessage();
  const [, navigate] = useLocation();
  // Read once: the address is cleaned at once, so that a code never stays in the history or in a shared link.
  const [query] = useState(() => readCallback(location.search));
  const [failure, setFailure] = useState<unknown>(null);

  useEffect(() => {
    const toLogin = (error: string) => navigate(`/login?error=${encodeURIComponent(error)}`, { replace: true });
    history.replaceState(null, '', location.pathname);
    if (query.error) return toLogin(query.error);
    if (!query.code) return toLogin('No authorization code received');
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    completeCallback(query.code, query).then(
      () => !gone && navigate('/', { replace: true }),
      (error: unknown) => {
        if (gone) return;
        setFailure(error);
        timer = setTimeout(() => toLogin(reasonOf(error)), FAILURE_SHOWN_MS);
      },
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [query, navigate]);

  return (
    <main className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <title>Sendlap</title>
      {failure === null ? (
        <div role="status" className="flex flex-col items-center gap-3">
          <span className="relative mb-4 grid place-items-center text-accent">
            <Spinner size={112} />
            <BrandMark size={56} className="absolute text-ink" />
          </span>
          <h1 className="text-2xl font-bold">{t('completing')}</h1>
          <p className="text-ink-soft">{t('processing')}</p>
        </div>
      ) : (
        <div role="alert" className="flex flex-col items-center gap-3">
          <span className="mb-3 grid size-20 place-items-center rounded-full bg-danger-tint text-danger-ink">
            <Icon name="warning" size={36} />
          </span>
          <h1 className="text-2xl font-bold">{t('failedTitle')}</h1>
          <p className="max-w-[36ch] text-ink-soft">{message(failure, 'callbackFailed')}</p>
          <p className="text-sm text-ink-faint">{t('backSoon')}</p>
        </div>
      )}
    </main>
  );
}
