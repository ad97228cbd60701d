import { FORGOT_PATH } from '@sendlap/contract/wire/screens.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useOnline } from '#web/shared/device/online.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { type FieldProblems, normalizeCredentials, validateCredentials } from './credentials.ts';
import { signInWithPassword } from './sign-in.ts';
import { useSignInMessage } from './use-sign-in-message.ts';

/** The e-mail and password form, for accounts of the app's own provider. */
export function LoginForm({ can_reset }: { can_reset: boolean }) {
  const { t } = useTranslation('auth');
  const language = useLanguage();
  const toMessage = useSignInMessage();
  const online = useOnline();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ email: '', password: '' });
  const [is_password_shown, setPasswordShown] = useState(false);
  const [field_problems, setFieldProblems] = useState<FieldProblems>({});
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  useEffect(() => focusField(form.current, 'username'), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const credentials = normalizeCredentials(typed);
    const problems = validateCredentials(credentials);
    setFieldProblems(problems);
    setProblem(null);
    if (problems.email) return focusField(form.current, 'username');
    if (problems.password) return focusField(form.current, 'password');
    setBusy(true);
    setPasswordShown(false); // Browsers offer to save a password only if it was hidden on submit.
    // On success this screen unmounts by itself.
    signInWithPassword(credentials).catch((error: unknown) => {
      setProblem(error);
      setBusy(false);
      focusField(form.current, 'password');
    });
  };
  const onFieldChange = (name: keyof typeof typed) => (event: FormEvent<HTMLInputElement>) => {
    setTyped({ ...typed, [name]: event.currentTarget.value });
    setFieldProblems({ ...field_problems, [name]: undefined });
  };

  return (
    <form ref={form} noValidate method="post" onSubmit={submit} className="anim-rise flex flex-col gap-4">
      <h2 className="text-xl font-bold">{t('form.title')}</h2>
      <Field
        label={t('form.email')}
        name="username"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={typed.email}
        onChange={onFieldChange('email')}
        error={field_problems.email ? t(`form.${field_problems.email}`) : null}
      />
      <Field
        label={t('form.password')}
        name="password"
        type={is_password_shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="current-password"
        required
        value={typed.password}
        onChange={onFieldChange('password')}
        error={field_problems.password ? t(`form.${field_problems.password}`) : null}
        action={
          <IconButton
            icon="eye"
            label={t('form.showPassword')}
            variant={is_password_shown ? 'tinted' : 'plain'}
            aria-pressed={is_password_shown}
            onClick={() => setPasswordShown(!is_password_shown)}
          />
        }
      />
      {problem !== null && <Problem>{toMessage(problem, 'loginFailed')}</Problem>}
      <Button type="submit" wide busy={busy} disabled={!online}>
        {t(busy ? 'form.busy' : 'form.submit')}
      </Button>
      {can_reset && (
        <a href={`${FORGOT_PATH}?ui_locales=${language}`} className={buttonClasses('quiet', 'sm')}>
          {t('form.forgot')}
        </a>
      )}
    </form>
  );
}

function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
}
