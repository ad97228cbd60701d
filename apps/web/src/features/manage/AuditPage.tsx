import type { AuditLine } from '@sendlap/contract/manage/audit.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { MANAGE_PATHS, personPath } from './links.ts';
import { ManageScreen } from './ManageScreen.tsx';
import { MoreButton } from './MoreButton.tsx';
import { NotLoaded } from './NotLoaded.tsx';
import { auditQuery } from './queries.ts';
import { isDeleted, usePersonName } from './use-person-name.ts';

/** Who did what with a right, newest first. */
export function AuditPage() {
  const { t } = useTranslation('manage');
  const audit = useInfiniteQuery(auditQuery);
  const lines = audit.data?.pages.flatMap(({ items }) => items);
  return (
    <ManageScreen title={t('audit.title')} back={MANAGE_PATHS.overview}>
      {!lines && <NotLoaded error={audit.error} onRetry={() => void audit.refetch()} />}
      {lines?.length === 0 && <EmptyState icon="list" title={t('audit.none.title')} text={t('audit.none.text')} />}
      {lines && lines.length > 0 && (
        <ol className="flex flex-col rounded-lg bg-surface px-4 py-2">
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ol>
      )}
      <MoreButton query={audit} />
    </ManageScreen>
  );
}

function Line({ line }: { line: AuditLine }) {
  const { t } = useTranslation('manage');
  const personName = usePersonName();
  const time = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', timeStyle: 'short' });
  const { at, actor, act, subject, sport_center, note } = line;
  const names = {
    actor: actor.person ? personName(actor.person) : t(actor.kind === 'cli' ? 'audit.cli' : 'audit.server'),
    subject: subject ? personName(subject) : t('audit.person'),
    center: sport_center?.name ?? t('audit.center'),
  };
  const ids = [actor.person, subject].flatMap((person) => (person && !isDeleted(person) ? person.public_id : []));
  return (
    <li className="py-2.5 wrap-anywhere">
      <p>{t(`audit.act.${act}`, names)}</p>
      {note !== null && <p className="text-ink-soft">“{note}”</p>}
      <p className="flex flex-wrap gap-x-3 text-sm text-ink-faint">
        <time dateTime={at}>{time.format(new Date(at))}</time>
        {[...new Set(ids)].map((id) => (
          <Link key={id} href={personPath(id)} className="underline underline-offset-2">
            {id}
          </Link>
        ))}
      </p>
    </li>
  );
}
