import { openShareSheet } from '#web/shared/device/share.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatWeekdayTime } from '#web/shared/time/format-weekday-time.ts';
import { Button } from '../controls/Button.tsx';
import { QrImage } from '../QrImage.tsx';
import { copyText } from './copy-text.ts';

interface OneTimeLinkProps {
  link: { url: string; expires_at: string };
  /** What the link does, and for whom. */
  text: string;
  /** Its secret, to type instead. */
  code?: string | undefined;
}

/** A link that works once: to scan, to copy and to share. */
export function OneTimeLink({ link: { url, expires_at }, text, code }: OneTimeLinkProps) {
  const { t } = useTranslation('one-time-link');
  const locale = useLocale();
  const copy = () => copyText(url, { copied: t('copied'), failed: t('copyFailed') });
  const share = () => openShareSheet({ url });
  return (
    <div className="flex flex-col items-center gap-2 rounded-md bg-sunken p-4">
      <p role="status" className="text-center">
        {text}
      </p>
      <QrImage text={url} label={t('code')} className="w-full max-w-60 rounded-md" />
      {code && <p className="figures text-xl font-bold tracking-wide select-all">{code}</p>}
      <p className="text-center text-sm text-ink-soft">{t('until', { time: formatWeekdayTime(expires_at, locale) })}</p>
      <div className="mt-1 flex w-full gap-2">
        <Button kind="secondary" size="sm" icon="copy" className="flex-1" onClick={() => void copy()}>
          {t('copy')}
        </Button>
        {'share' in navigator && (
          <Button kind="secondary" size="sm" icon="share" className="flex-1" onClick={share}>
            {t('share')}
          </Button>
        )}
      </div>
    </div>
  );
}
