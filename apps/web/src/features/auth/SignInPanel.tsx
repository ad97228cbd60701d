import { type ReactNode, useEffect, useState } from 'react';
import { loadAuthEndpoints, loadCode } from '#web/shared/api/auth-endpoints.ts';
import { whenIdle } from '#web/shared/device/idle.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { Notice } from './Notice.tsx';
import { useSignInMessage } from './use-sign-in-message.ts';

interface SignInPanelProps {
  /** The way of the first button: into an existing account, or to a new one. */
  signup: boolean;
  /** Below the first button: a button that creates an account, or a hint that the provider's page does. */
  second_way?: 'sign_up_button' | 'sign_up_hint';
  /** The error that brought the visitor here, if any: an error text from the URL or from the session. */
  initial_error: string | null;
  /** The id of the failed request, also from the URL. */
  request_id?: string | null;
  /** The open password form: it is shown first, and the provider's button becomes secondary. */
  children?: ReactNode;
}

/** The ways to the provider, what prevents them, and the last error. */
export function SignInPanel({ signup, second_way, initial_error, request_id = null, children }: SignInPanelProps) {
  const { t } = useTranslation('auth');
  const message = useSignInMessage();
  const online = useOnline();
  const [chosen_signup, setChosenSignup] = useState(signup);
  const [is_redirecting, setRedirecting] = useState(false);
  const [problem, setProblem] = useState<unknown>(initial_error);
  // A failed sign-out may be reported after this page has mounted.
  useEffect(() => {
    if (initial_error !== null) setProblem(initial_error);
  }, [initial_error]);
  const fallback = chosen_signup ? 'registrationFailed' : 'loginFailed';

  // Back from the provider may show the page as it was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setRedirecting(false);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);

  // Fetched after the first paint, so that a press does not wait for it.
  useEffect(() => whenIdle(() => void loadAuthEndpoints().catch(() => {})), []);

  const startRedirect = (to_signup: boolean) => {
    if (is_redirecting) return;
    setChosenSignup(to_signup);
    setRedirecting(true);
    setProblem(null);
    loadCode(() => import('./sign-in.ts'))
      .then(({ redirectToProvider }) => redirectToProvider(to_signup))
      .catch((error: unknown) => {
        setProblem(error);
        setRedirecting(false);
      });
  };

  const label = children ? 'otherWays' : signup ? 'signUp' : 'signIn';
  return (
    <>
      {problem !== null && (
        <div className="mb-4">
          <Problem>
            {problem === initial_error ? message(problem, 'failed', request_id) : message(problem, fallback)}
          </Problem>
        </div>
      )}
      {!online && <Notice icon="offline">{t('needsNetwork')}</Notice>}
      {!isSecureContext && <Notice icon="shield">{t('insecure')}</Notice>}
      {children}
      <Button
        kind={children ? 'secondary' : 'primary'}
        wide
        busy={is_redirecting && chosen_signup === signup}
        disabled={!online}
        onClick={() => startRedirect(signup)}
        className={children ? 'mt-4' : ''}
      >
        {t(is_redirecting && chosen_signup === signup ? 'opening' : label)}
      </Button>
      {second_way && (
        <SecondWay is_hint={second_way === 'sign_up_hint'} className={children ? 'mt-1' : 'mt-3'}>
          <Button
            kind={children ? 'quiet' : 'secondary'}
            wide
            busy={is_redirecting && chosen_signup}
            disabled={!online}
            onClick={() => startRedirect(true)}
          >
            {t(is_redirecting && chosen_signup ? 'opening' : 'signUp')}
          </Button>
        </SecondWay>
      )}
    </>
  );
}

interface SecondWayProps {
  /** The hint is shown instead of the button. */
  is_hint: boolean;
  className: string;
  /** The button. */
  children: ReactNode;
}

/** The button that creates an account, or the hint that replaces it, as high and with its focus. */
function SecondWay({ is_hint, className, children }: SecondWayProps) {
  const { t } = useTranslation('auth');
  const place = useRetainedFocus<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className={`outline-none ${className}`}>
      {is_hint ? (
        // If it were lower than the button, "Sign in" would move while it is pressed.
        <p className="flex min-h-14 items-center justify-center text-center text-label text-ink-soft text-balance">
          {t('signUpThere')}
        </p>
      ) : (
        children
      )}
    </div>
  );
}
