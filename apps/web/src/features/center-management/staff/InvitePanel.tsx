import type { CenterInvite } from '@sendlap/contract/center-management/center-staff.ts';
import { useState } from 'react';
import { openShareSheet } from '#web/shared/device/share.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { copyText } from '#web/shared/ui/feedback/copy-text.ts';
import { QrImage } from '#web/shared/ui/QrImage.tsx';
import { type InviteKind, useInvite } from './queries.ts';

interface InvitePanelProps {
  /** Of the center. */
  id: string;
  kind: InviteKind;
  /** Of the center's kiosks, referees or managers: one more means that the invite was used. */
  count: number;
  onInvited: () => void;
}

/** A button that makes a one-time invite, and then its code: to scan, to type and to share. */
export function InvitePanel({ id, kind, count, onInvited }: InvitePanelProps) {
  const { t } = useTranslation('center-management');
  const errorText = useErrorText();
  const { mutate, data: invite, error, isPending } = useInvite(id, kind);
  const [count_before, setCountBefore] = useState(count);
  const is_used = invite !== undefined && count > count_before;
  const request = () => {
    setCountBefore(count);
    mutate(undefined, { onSuccess: onInvited });
  };
  return (
    <>
      {error && <Problem>{errorText(error)}</Problem>}
      {invite && !is_used && <Invite invite={invite} kind={kind} />}
      {is_used && (
        <p role="status" className="font-semibold">
          {t(`${kind}.used`)}
        </p>
      )}
      <NetworkButton
        kind={invite && !is_used ? 'quiet' : 'secondary'}
        size="sm"
        icon="qr"
        wide
        busy={isPending}
        onClick={request}
      >
        {invite && !is_used ? t('another') : t(`${kind}.invite`)}
      </NetworkButton>
    </>
  );
}

function Invite({ invite: { code, url, expires_at }, kind }: { invite: CenterInvite; kind: InviteKind }) {
  const { t } = useTranslation('center-management');
  const locale = useLocale();
  const until = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    hour: 'numeric',
    minute: '2-digit',
  });
  const copy = () => copyText(url, { copied: t('copied'), failed: t('copyFailed') });
  const share = () => openShareSheet({ url });
  return (
    <div className="flex flex-col items-center gap-2 rounded-md bg-sunken p-4">
      <p role="status" className="text-center text-[0.9375rem]">
        {t(`${kind}.how`, { address: `${location.host}${PATHS.kiosk}` })}
      </p>
      <QrImage text={url} label={t('qr')} className="w-full max-w-60 rounded-md" />
      <p className="figures text-xl font-bold tracking-wide select-all">{code}</p>
      <p className="text-center text-sm text-ink-soft">{t('until', { time: until.format(new Date(expires_at)) })}</p>
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
