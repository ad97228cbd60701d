import type { Op } from '@sendlap/contract/activities.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { Button, buttonClasses } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import { activityPath } from './links.ts';
import { type KnownCenter, useCenter } from './queries.ts';
import type { ScannedVenue } from './scanned-code.ts';
import { useSecond } from './use-second.ts';
import { venueSecondsLeft } from './venue-time.ts';

/** What a step carries as its proof. */
type VenueScan = NonNullable<Extract<Op, { kind: 'start' }>['venue_scan']>;

/** The activity that runs now, as far as this panel needs it. */
export interface RunningActivity {
  client_id: string;
  sport_center_id: string;
  sport_center_name: string;
  sport_type: Sport;
}

interface VenuePanelProps {
  venue: ScannedVenue;
  /** null: nothing runs. */
  running: RunningActivity | null;
  /** Begins an activity here with this proof; gives its client_id once it is on the disk. */
  onStart: (center: KnownCenter, sport: Sport, proof: VenueScan) => Promise<string>;
  /** Finishes the running one with this proof; resolves once that is on the disk. */
  onFinish: (proof: VenueScan) => Promise<void>;
  onAgain: () => void;
}

/** The code of a kiosk: says where the athlete is, and begins or finishes an activity there with it as a proof. */
export function VenuePanel({ venue, running, onStart, onFinish, onAgain }: VenuePanelProps) {
  const { t } = useTranslation('qr');
  const { center, loading, retry } = useCenter(venue.code.sport_center_id);
  const here = running?.sport_center_id === venue.code.sport_center_id ? running : null;
  const name = here?.sport_center_name ?? center?.name;
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
      <h3 className="flex items-center gap-3 text-[1.375rem] leading-tight font-bold">
        <Icon name="map-pin" size={28} className="shrink-0 text-accent-ink" />
        <span className="min-w-0">{t('venue.here', { center: name })}</span>
      </h3>
      {running && !here ? (
        <RunsElsewhere running={running} />
      ) : (
        <Proving venue={venue} onAgain={onAgain}>
          {(proof) =>
            here ? (
              <FinishButton running={here} onFinish={() => onFinish(proof())} />
            ) : (
              center && <StartButtons center={center} onStart={(sport) => onStart(center, sport, proof())} />
            )
          }
        </Proving>
      )}
    </div>
  );
}

function RunsElsewhere({ running }: { running: RunningActivity }) {
  const { t } = useTranslation('qr');
  return (
    <>
      <p>{t('venue.elsewhere', { center: running.sport_center_name })}</p>
      <Link href={activityPath(running.client_id)} className={buttonClasses('primary', 'md', true)}>
        {t('generate.running.action')}
      </Link>
    </>
  );
}

interface ProvingProps {
  venue: ScannedVenue;
  onAgain: () => void;
  /** `proof()`: what the step carries, stamped now. */
  children: (proof: () => VenueScan) => ReactNode;
}

/** The code counts for some seconds only, and only with a network; both are said before anything is pressed. */
function Proving({ venue, onAgain, children }: ProvingProps) {
  const { t } = useTranslation('qr');
  const online = useOnline();
  const seconds = venueSecondsLeft(venue.code.step, useSecond());
  if (online && seconds === 0) {
    return (
      <>
        <p role="alert">{t('venue.late')}</p>
        <Button icon="scan" wide onClick={onAgain}>
          {t('card.again')}
        </Button>
      </>
    );
  }
  const scanned_at = new Date(venue.scanned.now_ms + venue.scanned.clock.offset_ms).toISOString();
  return (
    <>
      <p className="text-ink-soft">{t('venue.text')}</p>
      {children(() => ({ payload: venue.payload, scanned_at }))}
      {online ? (
        <p className="figures text-center text-[0.9375rem] text-ink-soft">{t('venue.left', { count: seconds })}</p>
      ) : (
        <p className="flex gap-3 rounded-lg bg-gold-tint p-3.5 text-[0.9375rem] text-gold-ink">
          <Icon name="offline" size={22} className="shrink-0" />
          {t('venue.offline')}
        </p>
      )}
    </>
  );
}

function StartButtons({ center, onStart }: { center: KnownCenter; onStart: (sport: Sport) => Promise<string> }) {
  const { t } = useTranslation('qr');
  const [, navigate] = useLocation();
  const [saving, save] = useSaving();
  return center.sports.map((sport) => (
    <Button
      key={sport}
      kind={sport === 'climbing' ? 'climb' : 'swim'}
      icon={sport === 'climbing' ? 'mountain' : 'wave'}
      size="lg"
      wide
      disabled={saving}
      onClick={() => void save(async () => navigate(activityPath(await onStart(sport))))}
    >
      {t(`venue.start.${sport}`)}
    </Button>
  ));
}

function FinishButton({ running, onFinish }: { running: RunningActivity; onFinish: () => Promise<void> }) {
  const { t } = useTranslation(['qr', 'shell']);
  const [, navigate] = useLocation();
  const [saving, save] = useSaving();
  const { sport_type, client_id } = running;
  return (
    <>
      <p className="font-semibold">{t('venue.running', { sport: t(`shell:sport.${sport_type}`) })}</p>
      <Button
        kind={sport_type === 'climbing' ? 'climb' : 'swim'}
        icon="stop"
        size="lg"
        wide
        disabled={saving}
        onClick={() => void save(() => onFinish().then(() => navigate(activityPath(client_id))))}
      >
        {t('venue.finish')}
      </Button>
    </>
  );
}

/** One save at a time; what could not be saved is said, and stays on the screen. */
function useSaving(): [boolean, (work: () => Promise<void>) => Promise<void>] {
  const { t } = useTranslation('qr');
  const errorText = useOutboxErrorText();
  const [saving, setSaving] = useState(false);
  return [
    saving,
    async (work) => {
      setSaving(true);
      try {
        await work();
      } catch (error) {
        setSaving(false);
        toast({ title: t('venue.notSaved'), description: errorText(error), tone: 'error', timeout_ms: 0 });
      }
    },
  ];
}
