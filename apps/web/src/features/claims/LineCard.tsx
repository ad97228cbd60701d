import type { CenterClaim } from '@sendlap/contract/center-management/claims.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatWeekdayDateTime } from '#web/shared/time/format-weekday-time.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { copyText } from '#web/shared/ui/feedback/copy-text.ts';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { useCheckLine, useCreateLine } from './queries.ts';

interface LineCardProps {
  id: string;
  line: NonNullable<CenterClaim['line']>;
}

/** Proves the claim by a line in a file on the center's web site. */
export function LineCard({ id, line: { file_url, open_until } }: LineCardProps) {
  const { t } = useTranslation('claims');
  const errorText = useErrorText();
  const locale = useLocale();
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  const { mutate: make, data: made, error: make_error, isPending: is_making } = useCreateLine(id);
  const check = useCheckLine(id);
  const expires_at = made?.expires_at ?? open_until;
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {t('line.title')}
      </h2>
      <p className="text-ink-soft">{t('line.text')}</p>
      {made ? (
        <>
          <p>{t('line.made')}</p>
          <Line text={made.line} />
          <p>{t('line.where')}</p>
          <Address text={file_url} />
          <p>{t('line.then', { time: formatWeekdayDateTime(made.expires_at, locale) })}</p>
        </>
      ) : (
        open_until && (
          <>
            <p>{t('line.open', { time: formatWeekdayDateTime(open_until, locale) })}</p>
            <Address text={file_url} />
          </>
        )
      )}
      {make_error && <Problem>{errorText(make_error)}</Problem>}
      {check.error && <Problem>{errorText(check.error)}</Problem>}
      {expires_at && (
        <NetworkButton size="sm" icon="check" wide busy={check.isPending} onClick={() => check.mutate(undefined)}>
          {t('line.check')}
        </NetworkButton>
      )}
      {!made && (
        <NetworkButton kind={expires_at ? 'quiet' : 'secondary'} size="sm" wide busy={is_making} onClick={() => make()}>
          {expires_at ? t('line.again') : t('line.make')}
        </NetworkButton>
      )}
    </Card>
  );
}

function Line({ text }: { text: string }) {
  const { t } = useTranslation('claims');
  const copy = () => copyText(text, { copied: t('line.copied'), failed: t('line.copyFailed') });
  return (
    <>
      <code className="rounded-md bg-sunken px-3 py-2.5 text-label wrap-anywhere select-all">{text}</code>
      <Button kind="secondary" size="sm" icon="copy" wide onClick={() => void copy()}>
        {t('line.copy')}
      </Button>
    </>
  );
}

function Address({ text }: { text: string }) {
  return <code className="rounded-md bg-sunken px-3 py-2.5 text-label wrap-anywhere select-all">{text}</code>;
}
