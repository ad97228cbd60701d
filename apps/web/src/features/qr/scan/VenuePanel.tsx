import type { Activity, Op } from '@sendlap/contract/activities.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { activityPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { type CenterSummary, useCenter } from './queries.ts';
import { WarningNotice } from './ScanCard.tsx';
import { type ScannedVenueCode, venueSecondsLeft } from './scanned-code.ts';

const SECOND_MS = 1_000;

/** The proof in a start or finish op. */
type VenueScan = NonNullable<Extract<Op, { kind: 'start' }>['venue_scan']>;

/** The running activity, as far as this panel needs it. */
type RunningActivity = Pick<Activity, 'client_id' | 'sport_center_id' | 'sport_center_name' | 'sport_type'>;

interface VenuePanelProps {
  venue: ScannedVenueCode;
  /** null: no activity is running. */
  running: RunningActivity | null;
  /** Starts an activity here with this proof; returns its client_id once it is on the disk. */
  onStart: (center: CenterSummary, sport: Sport, proof: VenueScan) => Promise<string>;
  /** Finishes the running activity with this proof; resolves once the op is on the disk. */
  onFinish: (proof: VenueScan) => Promise<void>;
  onScanAgain: () => void;
}

interface VenueActionsProps extends Omit<VenuePanelProps, 'running'> {
  /** The running activity, if it is at this center. */
  activity_here: RunningActivity | null;
  center: CenterSummary | null;
}

/** A kiosk's code: names the center, and starts or finishes an activity there with the code as proof. */
export function VenuePanel(props: VenuePanelProps) {
  const { t } = useTranslation('qr');
  const { venue, running } = props;
  const { center, loading, retry } = useCenter(venue.code.sport_center_id);
  const activity_here = running?.sport_center_id === venue.code.sport_center_id ? running : null;
  const name = activity_here?.sport_center_name ?? center?.name;
  if (name === undefined) {
    if (loading) return <Skeleton className="h-52 rounded-lg" />;
    return (
      <>
        <p role="alert">{t('venue.unknown')}</p>
        <Button kind="secondary" icon="sync" wide className="mt-4" onClick={retry}>
          {t('venue.retry')}
        </Button>
      </>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <h3 className="flex items-center gap-3 text-heading leading-tight font-bold">
        <Icon name="map-pin" size={28} className="shrink-0 text-accent-ink" />
        <span className="min-w-0">{t('venue.here', { center: name })}</span>
      </h3>
      {running && !activity_here ? (
        <>
          <p>{t('venue.elsewhere', { center: running.sport_center_name })}</p>
          <Link href={activityPath(running.client_id)} className={buttonClasses('primary', 'md', true)}>
            {t('generate.running.action')}
          </Link>
        </>
      ) : (
        <VenueActions {...props} activity_here={activity_here} center={center} />
      )}
    </div>
  );
}

/** The code is valid for only a few seconds, and only online; the panel says both before the user taps. */
function VenueActions({ venue, onStart, onFinish, onScanAgain, activity_here, center }: VenueActionsProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const online = useOnline();
  const seconds = venueSecondsLeft(venue.code.step, useNow(serverClock.correctedNow, SECOND_MS));
  const [saving, save] = useSaveAndOpen();
  if (online && seconds === 0) {
    return (
      <>
        <p role="alert">{t('venue.late')}</p>
        <Button icon="scan" wide onClick={onScanAgain}>
          {t('card.again')}
        </Button>
      </>
    );
  }
  const scanned_at = new Date(venue.scanned.now_ms + venue.scanned.clock.offset_ms).toISOString();
  const proof = { payload: venue.payload, scanned_at };
  const renderButton = (sport: Sport, icon: IconName, text: string, action: () => Promise<string>) => (
    <Button
      key={sport}
      kind={SPORT_LOOKS[sport].tone}
      icon={icon}
      size="lg"
      wide
      disabled={saving}
      onClick={() => void save(action)}
    >
      {text}
    </Button>
  );
  return (
    <>
      <p className="text-ink-soft">{t('venue.text')}</p>
      {activity_here ? (
        <>
          <p className="font-semibold">{t('venue.running', { sport: t(`shell:sport.${activity_here.sport_type}`) })}</p>
          {renderButton(activity_here.sport_type, 'stop', t('venue.finish'), () =>
            onFinish(proof).then(() => activity_here.client_id),
          )}
        </>
      ) : (
        center?.sports.map((sport) =>
          renderButton(sport, SPORT_LOOKS[sport].icon, t(`venue.start.${sport}`), () => onStart(center, sport, proof)),
        )
      )}
      {online ? (
        <p className="figures text-center text-label text-ink-soft">{t('venue.left', { count: seconds })}</p>
      ) : (
        <WarningNotice icon="offline" text={t('venue.offline')} />
      )}
    </>
  );
}

/**
 * Allows one save at a time; `work` returns the client_id of the activity to open. A failure is shown and keeps the
 * screen open.
 */
function useSaveAndOpen(): [boolean, (work: () => Promise<string>) => Promise<void>] {
  const { t } = useTranslation('qr');
  const errorText = useOutboxErrorText();
  const [, navigate] = useLocation();
  const [saving, setSaving] = useState(false);
  return [
    saving,
    async (action) => {
      setSaving(true);
      try {
        navigate(activityPath(await action()));
      } catch (error) {
        setSaving(false);
        toast({ title: t('venue.notSaved'), description: errorText(error), tone: 'error', timeout_ms: 0 });
      }
    },
  ];
}
