import { type RefereeRight, redeemRefereeInvite } from '@sendlap/contract/referees.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { refereeRightsQuery } from '#web/shared/data/referee-rights.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { GoldMark } from '../code/GoldMark.tsx';

interface InvitePanelProps {
  /** The one-time secret of the invite. */
  secret: string;
  onScanAgain: () => void;
}

/**
 * A center invites the user to be a referee. The meaning is explained first; the server names the center only
 * afterwards.
 */
export function InvitePanel({ secret, onScanAgain }: InvitePanelProps) {
  const { t } = useTranslation('qr');
  const errorText = useErrorText();
  const online = useOnline();
  const queries = useQueryClient();
  const { id } = useUser();
  // The new right must show on every screen.
  const redeem = useMutation({
    mutationFn: () => call(redeemRefereeInvite, { body: { code: secret } }),
    onSuccess: () => queries.invalidateQueries(refereeRightsQuery(id)),
    networkMode: 'always',
  });
  if (redeem.data) return <RefereeWelcome right={redeem.data} onScanAgain={onScanAgain} />;
  const note = online ? redeem.error && errorText(redeem.error) : t('invite.offline');
  return (
    <div className="flex flex-col gap-4">
      <div className="flex gap-4">
        <span className="grid size-14 shrink-0 place-items-center rounded-full bg-gold-tint text-gold-ink">
          <Icon name="shield" size={30} />
        </span>
        <p className="min-w-0 flex-1">{t('invite.text')}</p>
      </div>
      <p className="text-ink-soft">{t('invite.once')}</p>
      {note && (
        <p role="alert" className={online ? 'text-danger-ink' : 'text-ink-soft'}>
          {note}
        </p>
      )}
      <Button
        icon="check"
        wide
        busy={redeem.isPending}
        disabled={!online}
        onClick={() => redeem.mutate(undefined, { onSuccess: () => vibrate('success') })}
      >
        {t('invite.accept')}
      </Button>
      <Button kind="quiet" wide onClick={onScanAgain}>
        {t('invite.later')}
      </Button>
    </div>
  );
}

function RefereeWelcome({ right, onScanAgain }: { right: RefereeRight; onScanAgain: () => void }) {
  const { t } = useTranslation(['qr', 'shell']);
  const locale = useLocale();
  return (
    <div role="status" className="flex flex-col items-center gap-3 pt-6 text-center">
      <GoldMark icon="shield" burst />
      <h3 className="mt-2 text-2xl font-bold">{t('invite.done', { center: right.sport_center_name })}</h3>
      <ul className="flex gap-2">
        {right.sport_types.map((sport) => (
          <li key={sport}>
            <Tag tone={SPORT_LOOKS[sport].tone} icon={SPORT_LOOKS[sport].icon}>
              {t(`shell:sport.${sport}`)}
            </Tag>
          </li>
        ))}
      </ul>
      {right.valid_until && (
        <p className="text-ink-soft">{t('invite.until', { date: formatDateOf(right.valid_until, locale) })}</p>
      )}
      <p className="max-w-[34ch] text-ink-soft">{t('invite.doneText')}</p>
      <Button icon="scan" wide className="mt-3" onClick={onScanAgain}>
        {t('invite.scan')}
      </Button>
    </div>
  );
}
