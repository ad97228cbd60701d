import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import type { ActivityView } from './data/activity-view.ts';
import { useStart } from './use-start.ts';
import { findUsualStart } from './usual-start.ts';

interface UsualStartProps {
  /** Newest start first; none of them runs. */
  activities: readonly ActivityView[];
  /** Another action is more urgent. */
  is_second?: boolean;
  /** The athlete chooses another center; the screen with them may be the one below. */
  onElsewhere?: () => void;
}

/** Starts the usual sport at the usual center in one tap; the screen that opens can delete it again. */
export function UsualStart({ activities, is_second = false, onElsewhere }: UsualStartProps) {
  const { t } = useTranslation('activities');
  const { saving, start } = useStart();
  const usual = findUsualStart(activities);
  const [sport] = usual?.center.sports ?? [];
  if (!usual || !sport) return null;
  const { center, intensity } = usual;
  const { tone, icon } = SPORT_LOOKS[sport];
  return (
    <div>
      <Button
        kind={is_second ? 'secondary' : tone}
        size="lg"
        icon={icon}
        wide
        busy={saving !== null}
        onClick={() => void start(center, sport, intensity)}
        className="py-3"
      >
        {t(`start.${sport}`)} <span className="block text-label font-medium text-balance">{center.name}</span>
      </Button>
      <Link href={PATHS.sportCenters} onClick={onElsewhere} className={`${buttonClasses('quiet', 'sm', true)} mt-1`}>
        {t('dashboard.elsewhere')}
      </Link>
    </div>
  );
}
