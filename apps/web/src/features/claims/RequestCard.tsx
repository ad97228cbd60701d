import { type CenterClaim, MAX_CLAIM_MESSAGE_LENGTH } from '@sendlap/contract/center-management/claims.ts';
import { type FormEvent, useId, useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatLongDateOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { useRequestClaim } from './queries.ts';

interface RequestCardProps {
  id: string;
  request: CenterClaim['request'];
}

/** Asks the operator, who decides. */
export function RequestCard({ id, request }: RequestCardProps) {
  const { t } = useTranslation('claims');
  const locale = useLocale();
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  const is_waiting = request?.status === 'waiting';
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {t('request.title')}
      </h2>
      {request && (
        <>
          <p role="status" className={is_waiting ? '' : 'text-danger-ink'}>
            {is_waiting
              ? t('request.waiting', { date: formatLongDateOf(request.requested_at, locale) })
              : t('request.refused')}
          </p>
          <blockquote className="rounded-md bg-sunken px-4 py-3 wrap-anywhere">{request.message}</blockquote>
        </>
      )}
      {!is_waiting && <MessageForm id={id} />}
    </Card>
  );
}

function MessageForm({ id }: { id: string }) {
  const { t } = useTranslation('claims');
  const errorText = useErrorText();
  const request = useRequestClaim(id);
  const [message, setMessage] = useState('');
  const field_id = useId();
  const left = MAX_CLAIM_MESSAGE_LENGTH - message.trim().length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (message.trim() !== '' && left >= 0) request.mutate(message.trim());
  };
  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={submit}>
      <p className="text-ink-soft">{t('request.text')}</p>
      <div>
        <label htmlFor={field_id} className="mb-1.5 block text-label font-medium text-ink-soft">
          {t('request.label')}
        </label>
        <textarea
          id={field_id}
          rows={4}
          value={message}
          aria-invalid={left < 0 || undefined}
          aria-describedby={`${field_id}-note`}
          onChange={({ target }) => setMessage(target.value)}
          className="block w-full resize-y rounded-lg bg-sunken px-4 py-3 text-body outline-offset-0 focus:outline-3 focus:outline-accent"
        />
        <p
          id={`${field_id}-note`}
          role={left < 0 ? 'alert' : undefined}
          className={`mt-1.5 text-sm ${left < 0 ? 'text-danger-ink' : 'text-ink-faint'}`}
        >
          {left < 0 ? t('request.tooLong', { max: MAX_CLAIM_MESSAGE_LENGTH }) : t('request.left', { count: left })}
        </p>
      </div>
      {request.error && <Problem>{errorText(request.error)}</Problem>}
      <NetworkButton
        kind="secondary"
        type="submit"
        size="sm"
        wide
        disabled={message.trim() === '' || left < 0}
        busy={request.isPending}
      >
        {t('request.send')}
      </NetworkButton>
    </form>
  );
}
