import type { AuditEntry } from '@sendlap/contract/server-management/audit.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS, personPath } from '#web/shared/paths.ts';
import { formatDateTimeOf } from '#web/shared/time/format-date.ts';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { LoadingOrError } from './LoadingOrError.tsx';
import { MoreButton } from './MoreButton.tsx';
import { auditQuery } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';
import { isDeleted, useAccountName } from './use-account-name.ts';

/** The audit trail: what operators and managers did, newest first. */
export function AuditPage() {
  const { t } = useTranslation('server-management');
  const audit = useInfiniteQuery(auditQuery);
  const lines = audit.data?.pages.flatMap(({ items }) => items);
  return (
    <ServerManagementScreen title={t('audit.title')} back={PATHS.serverManagement}>
      {!lines && <LoadingOrError error={audit.error} onRetry={() => void audit.refetch()} />}
      {lines?.length === 0 && <EmptyState icon="list" title={t('audit.none.title')} text={t('audit.none.text')} />}
      {lines && lines.length > 0 && (
        <ol className="flex flex-col overflow-hidden rounded-lg bg-surface py-1">
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ol>
      )}
      <MoreButton query={audit} />
    </ServerManagementScreen>
  );
}

function Line({ line: { at, actor, act, subject, sport_center, note } }: { line: AuditEntry }) {
  const { t } = useTranslation('server-management');
  const accountName = useAccountName();
  const locale = useLocale();
  const names = {
    actor: actor.person ? accountName(actor.person) : t(actor.kind === 'cli' ? 'audit.cli' : 'audit.server'),
    subject: subject ? accountName(subject) : t('audit.person'),
    center: sport_center?.name ?? t('audit.center'),
  };
  const people = [actor.person, subject].filter((person) => person !== null).filter((person) => !isDeleted(person));
  const ids = [...new Set(people.map(({ public_id }) => public_id))];
  const content = (
    <>
      <span className="block">{t(`audit.act.${act}`, names)}</span>
      {note !== null && <span className="block text-ink-soft">{t('audit.note', { note })}</span>}
      <span className="flex flex-wrap gap-x-3 text-sm text-ink-faint">
        <time dateTime={at}>{formatDateTimeOf(at, locale)}</time>
        {ids.map((id) => (
          <span key={id} className="max-w-full">
            {id}
          </span>
        ))}
      </span>
    </>
  );
  // The subject if there is one, else the actor.
  const target = ids.at(-1);
  return (
    <li className="wrap-anywhere">
      {target === undefined ? (
        <div className="px-4 py-2.5">{content}</div>
      ) : (
        <Link href={personPath(target)} className="pressable block px-4 py-2.5 hover:bg-sunken">
          {content}
        </Link>
      )}
    </li>
  );
}
