import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import type { Verdict } from './precheck-scan.ts';
import { ScanFacts, ScanFigures } from './ScanFacts.tsx';
import type { ScannedCode } from './scanned-code.ts';

interface ScanCardProps {
  scan: ScannedCode;
  /** null: not known on this phone. */
  center_name: string | null;
  verdict: Verdict;
  onConfirm: () => void;
  onViewChange: (step: 'adjust' | 'reject') => void;
  onScanAgain: () => void;
}

/** The facts in the code, and the choice to confirm, adjust or reject. */
export function ScanCard({ scan, center_name, verdict, onConfirm, onViewChange, onScanAgain }: ScanCardProps) {
  const { t } = useTranslation('qr');
  return (
    <div className="flex flex-col gap-4">
      <AthleteHeader scan={scan} />
      <ScanFigures scan={scan} adjustment={{}} by_referee={verdict.kind !== 'peer'} />
      <ScanFacts scan={scan} center_name={center_name} />
      {verdict.kind === 'stop' && <StopNotice code={verdict.code} onScanAgain={onScanAgain} />}
      {verdict.kind === 'doubt' && <WarningNotice icon="warning" text={t(`card.doubt.${verdict.code}`)} />}
      {verdict.kind === 'peer' && <FriendNotice rights_fresh={verdict.rights_fresh} />}
      {verdict.kind !== 'stop' && (
        <Button size="lg" icon="check" wide onClick={onConfirm}>
          {t(verdict.kind === 'peer' ? 'card.confirmAsFriend' : 'card.confirm')}
        </Button>
      )}
      {(verdict.kind === 'referee' || verdict.kind === 'doubt') && (
        <div className="grid grid-cols-2 gap-3">
          <Button kind="secondary" wide onClick={() => onViewChange('adjust')}>
            {t('card.adjust')}
          </Button>
          <Button kind="danger" wide onClick={() => onViewChange('reject')}>
            {t('card.reject')}
          </Button>
        </div>
      )}
    </div>
  );
}

function AthleteHeader({ scan: { code } }: { scan: ScannedCode }) {
  const { t } = useTranslation('shell');
  const name = usePersonName()(code.display_name);
  const { fill, ink, icon } = SPORT_LOOKS[code.sport_type];
  return (
    <div className="@container">
      <div className="flex items-center gap-x-4 gap-y-2 @max-3xs:flex-wrap">
        <Avatar name={name} className={classes('size-16 text-2xl', fill)} />
        <div className="min-w-0 flex-1 wrap-break-word @max-3xs:order-last @max-3xs:basis-full">
          <p dir="auto" className="text-left text-heading leading-tight font-bold">
            {name}
          </p>
          <p className="text-ink-soft wrap-anywhere">{code.public_id}</p>
        </div>
        <div className={classes('flex flex-col items-center text-sm font-semibold', ink)}>
          <Icon name={icon} size={30} />
          {t(`sport.${code.sport_type}`)}
        </div>
      </div>
    </div>
  );
}

/** A warning before the user tries to confirm. */
export function WarningNotice({ icon, text }: { icon: IconName; text: string }) {
  return (
    <p className="flex gap-3 rounded-lg bg-gold-tint p-3.5 text-label text-gold-ink">
      <Icon name={icon} size={22} className="shrink-0" />
      {text}
    </p>
  );
}

/** What a friend's confirmation counts for, shown before the user confirms. */
function FriendNotice({ rights_fresh }: { rights_fresh: boolean }) {
  const { t } = useTranslation('qr');
  return (
    <div className="flex gap-3 rounded-lg bg-accent-tint p-3.5 text-label text-accent-ink">
      <Icon name="user" size={22} className="shrink-0" />
      <div className="flex flex-col gap-1">
        <p className="font-semibold">{t('card.friend.title')}</p>
        <p>{t('card.friend.counts')}</p>
        <p>{t('card.friend.needs')}</p>
        {!rights_fresh && <p>{t('card.friend.maybeReferee')}</p>}
      </div>
    </div>
  );
}

function StopNotice({ code, onScanAgain }: { code: ErrorCode; onScanAgain: () => void }) {
  const { t } = useTranslation(['qr', 'errors']);
  return (
    <>
      <div role="alert" className="flex gap-3 rounded-lg bg-danger-tint p-3.5 text-danger-ink">
        <Icon name="warning" size={24} className="shrink-0" />
        <div>
          <p className="font-semibold">{t('card.stopTitle')}</p>
          <p>{t(`errors:${code}`)}</p>
        </div>
      </div>
      <Button kind="secondary" icon="scan" wide onClick={onScanAgain}>
        {t('card.again')}
      </Button>
    </>
  );
}
