import { openShareSheet } from '#web/shared/device/share.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { copyText } from '#web/shared/ui/feedback/copy-text.ts';
import { QrImage } from '#web/shared/ui/QrImage.tsx';
import { StepCard } from './StepCard.tsx';

/** Other devices never reach these hosts. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const PHONE_COMMAND = 'npm start -- --phone';

/** The address for others, as a QR code and to share. `url`: an origin. */
export function InviteStep({ url }: { url: string }) {
  const { t } = useTranslation('setup');
  const is_local = LOOPBACK_HOSTS.includes(new URL(url).hostname);
  const copy = () => copyText(url, { copied: t('invite.copied'), failed: t('invite.copyFailed') });
  const share = () => openShareSheet({ text: t('invite.shareText'), url });
  return (
    <StepCard number={5} title={t('invite.title')}>
      {!is_local && (
        <>
          <p className="text-ink-soft">{t('invite.text')}</p>
          <QrImage text={url} label={t('invite.code', { url })} className="w-full max-w-60 self-center rounded-md" />
        </>
      )}
      <p className="text-center font-semibold wrap-anywhere select-all">{url}</p>
      <div className="flex gap-2">
        <Button kind="secondary" size="sm" icon="copy" className="flex-1" onClick={() => void copy()}>
          {t('invite.copy')}
        </Button>
        {'share' in navigator && (
          <Button kind="secondary" size="sm" icon="share" className="flex-1" onClick={share}>
            {t('invite.share')}
          </Button>
        )}
      </div>
      {is_local && (
        <>
          <p className="text-ink-soft">{t('invite.localOnly')}</p>
          <code className="rounded-md bg-sunken px-3 py-2.5 text-label select-all">{PHONE_COMMAND}</code>
        </>
      )}
    </StepCard>
  );
}
