import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { buttonClasses } from '#web/shared/ui/Button.tsx';
import { EmptyState } from '#web/shared/ui/EmptyState.tsx';
import type { BoardFilter } from './board-filter.ts';
import { FRIEND_CODE_PATH, SPORT_CENTERS_PATH, sportCenterPath } from './links.ts';

/** Nobody is on this board, or no friend of mine, and what to do about it. */
export function BoardEmpty({ filter }: { filter: BoardFilter }) {
  const { t } = useTranslation('leaderboards');
  const { scope, sport_center_id, key } = filter;
  if (scope === 'friends') {
    return (
      <EmptyState
        icon="user"
        title={t('empty.friends.title')}
        text={t('empty.friends.text')}
        action={<Way href={FRIEND_CODE_PATH} text={t('empty.friends.action')} />}
      />
    );
  }
  if (key !== null) return <EmptyState icon="trophy" title={t('empty.past.title')} text={t('empty.past.text')} />;
  if (sport_center_id !== null) {
    return (
      <EmptyState
        icon="trophy"
        title={t('empty.center.title')}
        text={t('empty.center.text')}
        action={<Way href={sportCenterPath(sport_center_id)} text={t('empty.center.action')} />}
      />
    );
  }
  return (
    <EmptyState
      icon="trophy"
      title={t('empty.title')}
      text={t('empty.text')}
      action={<Way href={SPORT_CENTERS_PATH} text={t('empty.action')} />}
    />
  );
}

function Way({ href, text }: { href: string; text: string }) {
  return (
    <Link href={href} className={buttonClasses('primary', 'md')}>
      {text}
    </Link>
  );
}
