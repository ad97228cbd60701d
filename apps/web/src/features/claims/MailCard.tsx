import type { CenterClaim } from '@sendlap/contract/center-management/claims.ts';
import { type FormEvent, useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatWeekdayDateTime } from '#web/shared/time/format-weekday-time.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { useRedeemCode, useSendMail } from './queries.ts';

interface MailCardProps {
  id: string;
  mail: NonNullable<CenterClaim['mail']>;
}

/** Proves the claim by a code that is mailed to the center. */
export function MailCard({ id, mail: { domain, open_until } }: MailCardProps) {
  const { t } = useTranslation('claims');
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  const [sends_another, setSendsAnother] = useState(false);
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {t('mail.title')}
      </h2>
      {open_until === null || sends_another ? (
        <AddressForm id={id} domain={domain} onSent={() => setSendsAnother(false)} />
      ) : (
        <CodeForm id={id} open_until={open_until} onOther={() => setSendsAnother(true)} />
      )}
    </Card>
  );
}

function AddressForm({ id, domain, onSent }: { id: string; domain: string; onSent: () => void }) {
  const { t } = useTranslation('claims');
  const errorText = useErrorText();
  const language = useLanguage();
  const send = useSendMail(id);
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '') send.mutate({ email, language }, { onSuccess: onSent });
  };
  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={submit}>
      <p className="text-ink-soft">{t('mail.text', { domain })}</p>
      <Field
        label={t('mail.label')}
        placeholder={t('mail.placeholder', { domain })}
        type="email"
        maxLength={254}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        error={send.error && errorText(send.error)}
        className="[&>div]:bg-sunken"
        onChange={({ target }) => setEmail(target.value)}
      />
      <NetworkButton type="submit" size="sm" icon="send" wide disabled={email.trim() === ''} busy={send.isPending}>
        {t('mail.send')}
      </NetworkButton>
    </form>
  );
}

function CodeForm({ id, open_until, onOther }: { id: string; open_until: string; onOther: () => void }) {
  const { t } = useTranslation('claims');
  const errorText = useErrorText();
  const locale = useLocale();
  const redeem = useRedeemCode(id);
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') redeem.mutate(code);
  };
  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={submit}>
      <p role="status">{t('mail.sent', { time: formatWeekdayDateTime(open_until, locale) })}</p>
      <Field
        label={t('mail.code')}
        placeholder={t('mail.codePlaceholder')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
        value={code}
        error={redeem.error && errorText(redeem.error)}
        className="figures [&>div]:bg-sunken"
        onChange={({ target }) => setCode(target.value)}
      />
      <NetworkButton type="submit" size="sm" icon="check" wide disabled={code.trim() === ''} busy={redeem.isPending}>
        {t('mail.check')}
      </NetworkButton>
      <Button kind="quiet" size="sm" wide onClick={onOther}>
        {t('mail.other')}
      </Button>
    </form>
  );
}
