import { use } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { formatDuration } from '#web/shared/time/format-minutes.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { ProofChip } from '#web/shared/ui/controls/ProofChip.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ListLayout } from '#web/shared/ui/list-layout.ts';
import { type ActivityView, activeMinutesOf } from '../data/activity-view.ts';
import { unconfirmedState } from '../data/week.ts';

interface ActivityRowProps {
  activity: ActivityView;
  /** ms epoch by the server's clock. If set, the row says how long ago the activity ended instead of the day. */
  now?: number | undefined;
}

/** A list of activities; `now` as for a row. */
export function ActivityRows({ activities, now }: { activities: ActivityView[] } & Pick<ActivityRowProps, 'now'>) {
  return (
    <ul className="flex flex-col gap-2">
      {activities.map((activity) => (
        <li key={activity.client_id}>
          <ActivityRow activity={activity} now={now} />
        </li>
      ))}
    </ul>
  );
}

/**
 * One activity in a list: center, duration, points, state of its proof. On a narrow row (a phone, or large text) the
 * proof gets its own line, on a very narrow one the icon is hidden, so that no word is cut off.
 */
function ActivityRow({ activity, now }: ActivityRowProps) {
  const { tint, icon, ink } = SPORT_LOOKS[activity.sport_type];
  const layout = use(ListLayout);
  const [path] = useLocation();
  const query = useSearch();
  const own_path = activityPath(activity.client_id);
  const is_current = path === own_path;
  return (
    <Link
      // The list beside the activity keeps its view and filter in the same address.
      href={layout && query ? `${own_path}?${query}` : own_path}
      // One Back leads from the last one chosen to the list.
      replace={layout === 'beside'}
      aria-current={is_current ? 'page' : undefined}
      className={classes(
        'pressable @container block rounded-lg bg-surface p-3 pr-4 [overflow-wrap:anywhere]',
        is_current && 'ring-2 ring-accent',
      )}
    >
      <div className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className={`grid size-12 shrink-0 place-items-center rounded-md @max-[14rem]:hidden ${tint} ${ink}`}
        >
          <Icon name={icon} size={26} />
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-x-3 gap-y-1.5 @lg:flex-row @lg:items-center">
          <div className="min-w-0 flex-1">
            <p className="leading-snug font-semibold">{activity.sport_center_name}</p>
            <ActivityTime activity={activity} now={now} />
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 @lg:flex-col @lg:items-end">
            <Points activity={activity} />
            <Proof activity={activity} />
          </div>
        </div>
      </div>
    </Link>
  );
}

/** A running activity shows no duration yet. */
function ActivityTime({ activity, now }: Pick<ActivityRowProps, 'activity' | 'now'>) {
  const { started_at, ended_at } = activity;
  const locale = useLocale();
  const from = Date.parse(started_at);
  const to = ended_at === null ? null : Date.parse(ended_at);
  const duration = to === null ? '' : formatDuration(activeMinutesOf(activity), locale);
  const when = now === undefined ? formatDay(from, locale) : formatAge(to ?? from, now, locale);
  return <p className="figures text-label text-ink-soft">{[when, duration].filter(Boolean).join(' · ')}</p>;
}

/** Left out where no points count and none will. */
function Points({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const now = useServerNow();
  const { status, proof, points, potential_points } = activity;
  if (unconfirmedState(activity, now) === 'expired') return null;
  if (status === 'rejected' || status === 'active' || proof === 'refused') return null;
  const validated = status === 'validated';
  return (
    <p className={`figures font-bold ${validated ? 'text-gold-ink' : 'text-ink-soft'}`}>
      {t('dashboard.pointsShort', { count: validated ? points : potential_points })}
    </p>
  );
}

function Proof({ activity: { proof, validation } }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  if (proof !== 'refused') return <ProofChip proof={proof} validation={validation} />;
  return (
    <Tag tone="danger" icon="warning">
      {t('proof.refusedTitle')}
    </Tag>
  );
}
