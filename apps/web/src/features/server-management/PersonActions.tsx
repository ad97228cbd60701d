import type { Person } from '@sendlap/contract/server-management/people.ts';
import type { ReactNode } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { OneTimeLink } from '#web/shared/ui/feedback/OneTimeLink.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { ConfirmedAction } from './ConfirmedAction.tsx';
import { useChangeOperator, useErasePerson, useLiftSuspension, usePasswordLink, useSuspend } from './queries.ts';

/** What an operator can do about a user. The right of an operator must end before the account can be locked. */
export function PersonActions({ person }: { person: Person }) {
  const { is_operator, state, has_password, erase_after } = person;
  return (
    <>
      {has_password && <PasswordAct person={person} />}
      {(is_operator || state === 'active') && <OperatorAct person={person} />}
      {is_operator ? (
        <LockNote />
      ) : (
        <>
          <SuspensionAct person={person} />
          {erase_after === null && <ErasureAct person={person} />}
        </>
      )}
    </>
  );
}

/** Its heading gets the focus of a removed button. */
function Act({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  return (
    <Card as="section" className="flex flex-col gap-3">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
          {title}
        </h2>
        <p className="text-ink-soft">{text}</p>
      </div>
      {children}
    </Card>
  );
}

function PasswordAct({ person: { public_id, name } }: { person: Person }) {
  const { t } = useTranslation('server-management');
  const errorText = useErrorText();
  const { mutate, data: link, error, isPending } = usePasswordLink(public_id);
  return (
    <Act title={t('password.title')} text={t('password.text')}>
      {link && <OneTimeLink link={link} text={t('password.link', { name })} />}
      {error && <Problem>{errorText(error)}</Problem>}
      <NetworkButton kind="secondary" size="sm" icon="link" wide busy={isPending} onClick={() => mutate()}>
        {link ? t('password.again') : t('password.make')}
      </NetworkButton>
    </Act>
  );
}

function OperatorAct({ person: { public_id, name, is_operator } }: { person: Person }) {
  const { t } = useTranslation('server-management');
  const change = useChangeOperator(public_id);
  const step = is_operator ? 'revoke' : 'grant';
  return (
    <Act title={t('operator.title')} text={t(is_operator ? 'operator.is' : 'operator.isNot', { name })}>
      <ConfirmedAction
        key={step}
        label={t(`operator.${step}`)}
        kind={is_operator ? 'danger' : 'secondary'}
        question={t(`operator.${step}Question`, { name })}
        mutation={change}
        onConfirm={() => change.mutate(!is_operator)}
      />
    </Act>
  );
}

function LockNote() {
  const { t } = useTranslation('server-management');
  return <p className="px-1 text-sm text-ink-soft">{t('lock.operator')}</p>;
}

function SuspensionAct({ person: { public_id, name, state } }: { person: Person }) {
  const { t } = useTranslation('server-management');
  const suspend = useSuspend(public_id);
  const lift = useLiftSuspension(public_id);
  if (state === 'suspended')
    return (
      <Act title={t('lock.title')} text={t('lock.suspended', { name })}>
        <ConfirmedAction
          key="lift"
          kind="secondary"
          label={t('lock.lift')}
          question={t('lock.liftQuestion', { name })}
          mutation={lift}
          onConfirm={() => lift.mutate(undefined)}
        />
      </Act>
    );
  return (
    <Act title={t('lock.title')} text={t('lock.text')}>
      <ConfirmedAction
        key="suspend"
        label={t('lock.suspend')}
        question={t('lock.question', { name })}
        has_reason
        mutation={suspend}
        onConfirm={(reason) => suspend.mutate(reason)}
      />
    </Act>
  );
}

function ErasureAct({ person: { public_id, name } }: { person: Person }) {
  const { t } = useTranslation('server-management');
  const erase = useErasePerson(public_id);
  return (
    <Act title={t('erase.title')} text={t('erase.text')}>
      <ConfirmedAction
        label={t('erase.action')}
        question={t('erase.question', { name })}
        has_reason
        typed={public_id}
        mutation={erase}
        onConfirm={(reason) => erase.mutate(reason)}
      />
    </Act>
  );
}
