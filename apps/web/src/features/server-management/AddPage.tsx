import { cleanText } from '@sendlap/domain/names.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#web/shared/api/errors.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { OneTimeLink } from '#web/shared/ui/feedback/OneTimeLink.tsx';
import { LoadingOrError } from './LoadingOrError.tsx';
import { PersonLink } from './PersonLink.tsx';
import { overviewQuery, useCreatePerson, useInviteOperator } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';

/** Creates an account for a person, or a set-up address, which makes a person an operator. */
export function AddPage() {
  const { t } = useTranslation('server-management');
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <ServerManagementScreen title={t('add.title')} back={PATHS.people}>
      {data ? (
        <>
          {data.has_accounts && <NewAccount />}
          <NewOperator />
        </>
      ) : (
        <LoadingOrError error={error} onRetry={() => void refetch()} />
      )}
    </ServerManagementScreen>
  );
}

function NewAccount() {
  const { t } = useTranslation('server-management');
  const errorText = useErrorText();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const create = useCreatePerson();
  const [is_incomplete, setIncomplete] = useState(false);
  const describe = (error: Error) =>
    error instanceof ApiError && error.backend_error === 'validation_failed' ? t('add.invalid') : errorText(error);
  const problem = is_incomplete ? t('add.invalid') : create.error && describe(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = email.trim() === '' || cleanText(name) === '';
    setIncomplete(missing);
    if (missing) return;
    create.mutate({ email, name }, { onSuccess: () => [setEmail(''), setName('')] });
  };
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-lg font-bold">{t('add.account')}</h2>
      <p className="text-ink-soft">{t('add.accountText')}</p>
      {create.data && (
        <>
          <OneTimeLink link={create.data.password_link} text={t('add.created', { name: create.data.person.name })} />
          <PersonLink person={create.data.person} />
        </>
      )}
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <Field
          type="email"
          label={t('add.email')}
          value={email}
          autoComplete="off"
          className="[&>div]:bg-sunken"
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={t('add.name')}
          value={name}
          autoComplete="off"
          className="[&>div]:bg-sunken"
          onChange={(event) => setName(event.target.value)}
        />
        {problem && <Problem>{problem}</Problem>}
        <NetworkButton type="submit" kind="secondary" size="sm" wide busy={create.isPending}>
          {t('add.create')}
        </NetworkButton>
      </form>
    </Card>
  );
}

function NewOperator() {
  const { t } = useTranslation('server-management');
  const errorText = useErrorText();
  const { mutate, data: link, error, isPending } = useInviteOperator();
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-lg font-bold">{t('add.operator')}</h2>
      <p className="text-ink-soft">{t('add.operatorText')}</p>
      {link && <OneTimeLink link={link} text={t('add.operatorLink')} />}
      {error && <Problem>{errorText(error)}</Problem>}
      <NetworkButton kind="secondary" size="sm" icon="qr" wide busy={isPending} onClick={() => mutate()}>
        {link ? t('add.operatorAgain') : t('add.operatorInvite')}
      </NetworkButton>
    </Card>
  );
}
