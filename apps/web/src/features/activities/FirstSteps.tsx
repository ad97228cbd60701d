import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import type { Activities } from './data/use-activities.ts';

const { climbing, swimming } = SPORT_LOOKS;
const STEPS: { name: 'stepFind' | 'stepStart' | 'stepScan'; icon: IconName; tone: string }[] = [
  { name: 'stepFind', icon: 'map-pin', tone: `${swimming.tint} ${swimming.ink}` },
  { name: 'stepStart', icon: 'play', tone: `${climbing.tint} ${climbing.ink}` },
  { name: 'stepScan', icon: 'qr', tone: 'bg-gold-tint text-gold-ink' },
];

/** In place of the activities on Home: the first steps of a new user, or why it is unknown whether there are any. */
export function NoActivities({ unread, retry }: Pick<Activities, 'unread' | 'retry'>) {
  const { t } = useTranslation('activities');
  if (!unread) return <FirstSteps />;
  if (!unread.error)
    return (
      <Loading>
        <Skeleton className="h-[26rem] rounded-xl" />
      </Loading>
    );
  return (
    <ErrorState
      title={t('dashboard.failed')}
      error={unread.error}
      onRetry={retry}
      offline={{ title: t('dashboard.offlineTitle'), text: t('dashboard.offlineText') }}
    />
  );
}

/** How the app works in three steps, and the link to the first. */
function FirstSteps() {
  const { t } = useTranslation('activities');
  return (
    <section className="anim-rise flex flex-col items-center rounded-xl bg-surface px-5 pt-8 pb-6 text-center">
      <ol data-tour="first-steps" className="flex w-full max-w-[360px] flex-wrap justify-between gap-2">
        {STEPS.map(({ name, icon, tone }, index) => (
          <li key={name} className="flex flex-1 basis-[4rem] flex-col items-center gap-2 text-sm font-semibold">
            <span aria-hidden="true" className={`grid size-16 place-items-center rounded-full ${tone}`}>
              <Icon name={icon} size={30} />
            </span>
            <span>
              <span className="text-ink-faint">{index + 1} </span>
              {t(`dashboard.${name}`)}
            </span>
          </li>
        ))}
      </ol>
      <h2 className="mt-8 text-2xl font-bold">{t('dashboard.emptyTitle')}</h2>
      <p className="mt-2 max-w-[36ch] text-ink-soft">{t('dashboard.emptyText')}</p>
      <Link href={PATHS.sportCenters} className={`${buttonClasses('primary', 'md', true)} mt-6 max-w-[360px]`}>
        <Icon name="map-pin" size={22} />
        {t('dashboard.emptyAction')}
      </Link>
    </section>
  );
}
