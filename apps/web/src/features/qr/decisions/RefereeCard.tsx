import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { confirmedToday, PAGE_SIZE } from './decisions.ts';
import { useDecisions } from './use-decisions.ts';
import { useOpenAppeals } from './use-open-appeals.ts';

/** A referee's work, on the home screen: the athletes who appeal, the scanner, and how many were confirmed today. */
export function RefereeCard() {
  const { t } = useTranslation('qr');
  const { open_appeals } = useOpenAppeals();
  const { listed, local_only, decisions_query } = useDecisions();
  const is_known = listed !== undefined;
  const now = useServerNow();
  const { count, is_at_least } = confirmedToday(listed ?? [], local_only, {
    now,
    // A copy on this device is the first page alone.
    has_more: decisions_query.hasNextPage || (!decisions_query.data && listed?.length === PAGE_SIZE),
  });
  return (
    <Card as="section" aria-labelledby="referee-title" className="flex flex-col gap-2 rounded-xl">
      <h2 id="referee-title" className="px-1 text-xl font-bold">
        {t('referee.title')}
      </h2>
      <Link href={PATHS.scan} className={buttonClasses('primary', 'lg', true)}>
        <Icon name="scan" size={28} />
        {t('scan.title')}
      </Link>
      {open_appeals.length > 0 && (
        <DecisionsLink icon="warning" text={t('referee.asked', { count: open_appeals.length })} ink="text-accent-ink" />
      )}
      <DecisionsLink
        icon="check"
        text={is_known ? t(is_at_least ? 'referee.todayAtLeast' : 'referee.today', { count }) : t('decisions.title')}
        ink="text-ink-soft"
      />
    </Card>
  );
}

function DecisionsLink({ icon, text, ink }: { icon: IconName; text: string; ink: string }) {
  return (
    <Link
      href={PATHS.decisions}
      className={`pressable figures flex min-h-12 items-center gap-2 rounded-md px-1 font-semibold ${ink}`}
    >
      <Icon name={icon} size={20} />
      <span className="min-w-0 flex-1">{text}</span>
      <Icon name="chevron-right" size={20} />
    </Link>
  );
}
