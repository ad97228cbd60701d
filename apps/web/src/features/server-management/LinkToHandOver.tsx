import type { OneTimeLink } from '@sendlap/contract/server-management/people.ts';
import { openShareSheet } from '#web/shared/device/share.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { copyText } from '#web/shared/ui/feedback/copy-text.ts';
import { QrImage } from '#web/shared/ui/QrImage.tsx';

/** A one-time address: to scan, to copy and to share. `text`: what it does, for whom. */
export function LinkToHandOver({ link: { url, expires_at }, text }: { link: OneTimeLink; text: string }) {
  const { t } = useTranslation('server-management');
  const locale = useLocale();
  const until = new Intl.DateTimeFormat(locale, { weekday: 'long', hour: 'numeric', minute: '2-digit' });
  const copy = () => copyText(url, { copied: t('link.copied'), failed: t('link.copyFailed') });
  const share = () => openShareSheet({ url });
  return (
    <div className="flex flex-col items-center gap-2 rounded-md bg-sunken p-4">
      <p role="status" className="text-center">
        {text}
      </p>
      <QrImage text={url} label={t('link.code')} className="w-full max-w-60 rounded-md" />
      <p className="text-center text-sm text-ink-soft">
        {t('link.until', { time: until.format(new Date(expires_at)) })}
      </p>
      <div className="mt-1 flex w-full gap-2">
        <Button kind="secondary" size="sm" icon="copy" className="flex-1" onClick={() => void copy()}>
          {t('link.copy')}
        </Button>
        {'share' in navigator && (
          <Button kind="secondary" size="sm" icon="share" className="flex-1" onClick={share}>
            {t('link.share')}
          </Button>
        )}
      </div>
    </div>
  );
}
