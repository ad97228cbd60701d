import { useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { OneTimeLink } from '#web/shared/ui/feedback/OneTimeLink.tsx';
import { type InviteKind, useInvite } from './queries.ts';

interface InvitePanelProps {
  sport_center_id: string;
  kind: InviteKind;
  /** Of the center's kiosks, referees or managers: one more means that the invite was used. */
  count: number;
  onInvited: () => void;
}

/**
 * A button that creates a one-time invite, then shows it as a QR code and a link; a kiosk's invite also as a code to type
 * on the tablet.
 */
export function InvitePanel({ sport_center_id, kind, count, onInvited }: InvitePanelProps) {
  const { t } = useTranslation('center-management');
  const errorText = useErrorText();
  const { mutate, data: invite, error, isPending } = useInvite(sport_center_id, kind);
  const [count_before, setCountBefore] = useState(count);
  const is_used = invite !== undefined && count > count_before;
  const request = () => {
    setCountBefore(count);
    mutate(undefined, { onSuccess: onInvited });
  };
  return (
    <>
      {error && <Problem>{errorText(error)}</Problem>}
      {invite && !is_used && (
        <OneTimeLink
          link={invite}
          text={t(`${kind}.how`, { address: `${location.host}${PATHS.kiosk}` })}
          code={kind === 'kiosk' ? invite.code : undefined}
        />
      )}
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
