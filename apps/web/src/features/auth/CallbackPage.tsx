import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { loadCode } from '#web/shared/api/auth-endpoints.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { parseCallbackQuery, runCallback } from './callback.ts';
import { useSignInMessage } from './use-sign-in-message.ts';

/** The page to which the provider redirects the browser: exchanges the code, or returns to sign-in with the reason. */
export function CallbackPage() {
  const { t } = useTranslation('auth');
  const message = useSignInMessage();
  const [, navigate] = useLocation();
  // Read once: the URL is cleaned right away.
  const [query] = useState(() => parseCallbackQuery(location.search));
  const [failure, setFailure] = useState<unknown>(null);

  useEffect(
    () =>
      runCallback(query, {
        clearUrlQuery: () => history.replaceState(null, '', location.pathname),
        exchange: async (code, { state, iss }) => {
          const { completeCallback } = await loadCode(() => import('./sign-in.ts'));
          return completeCallback(code, { state, iss });
        },
        replaceLocation: (to) => navigate(to, { replace: true }),
        onFailure: setFailure,
      }),
    [query, navigate],
  );

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
