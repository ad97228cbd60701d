import { ordinal } from '@sendlap/domain/ranks.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { type BoardFilter, writeBoardFilter } from './board-filter.ts';
import type { BoardPage } from './queries.ts';
import { useBoardVoice } from './use-board-voice.ts';

interface BoardVoiceProps {
  filter: BoardFilter;
  /** null: on its way. */
  page: BoardPage | null;
}

/** Says in one sentence what has changed, to those who don't see the rows move. */
export function BoardVoice({ filter, page }: BoardVoiceProps) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const news = useBoardVoice(writeBoardFilter(filter), page);
  return (
    <p role="status" className="sr-only">
      {(news?.about === 'hidden' || news?.about === 'shown') && t(`news.${news.about}`)}
      {news?.about === 'my_rank' && t('news.myRank', { rank: placeOf(news.rank, language) })}
      {news?.about === 'my_points' && t('news.myPoints', { count: news.points })}
      {news?.about === 'other' &&
        t('news.other', { name: news.name ?? t('nameless'), rank: placeOf(news.rank, language) })}
    </p>
  );
}

/** '1st'; in Spanish the bare number, as in 'el puesto 1': an ordinal would have to agree with its noun. */
function placeOf(rank: number, language: 'en' | 'es'): string {
  return language === 'es' ? String(rank) : ordinal(rank, language);
}
