import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { Badge } from '#web/shared/ui/Badge.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { ProofChip } from '#web/shared/ui/ProofChip.tsx';
import type { ActivityView } from './activity-view.ts';
import { activityPath } from './links.ts';
import { SPORT_LOOKS } from './sport-look.ts';
import { formatDay, formatMinutes } from './times.ts';

/** One activity in a list: where, how long, what it gives, how far its proof has come. */
export function ActivityRow({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const { tone, icon, ink } = SPORT_LOOKS[activity.sport_type];
  const validated = activity.status === 'validated';
  return (
    <Link
      href={activityPath(activity.client_id)}
      className="pressable flex items-center gap-3 rounded-lg bg-surface p-3 pr-4"
    >
      <span
        aria-hidden="true"
        className={`grid size-12 shrink-0 place-items-center rounded-md ${tone === 'climb' ? 'bg-climb-tint' : 'bg-swim-tint'} ${ink}`}
      >
        <Icon name={icon} size={26} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 leading-snug font-semibold">{activity.sport_center_name}</p>
        <When activity={activity} />
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1">
        {activity.status !== 'rejected' && (
          <p className={`figures font-bold ${validated ? 'text-gold-ink' : 'text-ink-soft'}`}>
            {t('dashboard.pointsShort', { count: validated ? activity.points : activity.potential_points })}
          </p>
        )}
        <Proof activity={activity} />
      </div>
    </Link>
  );
}

function When({ activity: { started_at, ended_at } }: { activity: ActivityView }) {
  const language = useLanguage();
  const from = Date.parse(started_at);
  const minutes = ended_at === null ? 0 : Math.floor((Date.parse(ended_at) - from) / 60_000);
  return (
    <p className="figures truncate text-[0.9375rem] text-ink-soft">
      {formatDay(from, language)} · {formatMinutes(minutes, language)}
    </p>
  );
}

function Proof({ activity: { proof } }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  if (proof !== 'refused') return <ProofChip proof={proof} />;
  return (
    <Badge tone="danger" icon="warning">
      {t('proof.refusedTitle')}
    </Badge>
  );
}
