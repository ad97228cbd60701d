import type { AreaLoad } from '@sendlap/contract/area-loads.ts';
import type { Place } from '@sendlap/contract/places.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { townName } from '#web/shared/data/town-names.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { areaLoadsQuery, isOpen, useCancelLoad, useRequestLoad } from './queries.ts';
import { StepCard } from './StepCard.tsx';

/** Loads the town's sport centers from OpenStreetMap, and shows progress and result. */
export function CentersStep({ town }: { town: Place | null }) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const language = useLanguage();
  const { data, error } = useQuery(areaLoadsQuery);
  const request = useRequestLoad();
  const load = data?.items[0];
  const is_open = load !== undefined && isOpen(load);
  const problem = request.error ?? (data ? null : error);
  return (
    <StepCard number={3} title={t('centers.title')} is_done={load?.status === 'done'}>
      <p className="text-ink-soft">{town ? t('centers.text') : t('centers.needsTown')}</p>
      {load && <LoadState load={load} name={town?.name === load.name ? townName(town, language) : load.name} />}
      {problem && <Problem>{errorText(problem)}</Problem>}
      {town && !is_open && (
        <NetworkButton
          kind={load?.status === 'done' ? 'quiet' : 'secondary'}
          size="sm"
          icon="download"
          wide
          busy={request.isPending}
          onClick={() => request.mutate(town.id)}
        >
          {load?.status === 'done' && load.name === town.name
            ? t('centers.again')
            : t('centers.load', { name: townName(town, language) })}
        </NetworkButton>
      )}
    </StepCard>
  );
}

function LoadState({ load, name }: { load: AreaLoad; name: string }) {
  const { t } = useTranslation('setup');
  if (isOpen(load)) return <OpenLoad load={load} />;
  if (load.status === 'cancelled') return <p role="status">{t('centers.cancelled')}</p>;
  if (load.report === null)
    return (
      <>
        <Problem>{t('centers.failed')}</Problem>
        {load.failure && <p className="text-sm text-ink-faint wrap-anywhere">{load.failure}</p>}
      </>
    );
  const { imported, updated, unchanged, merged, refused, closed } = load.report;
  const counts = { imported, updated, unchanged: unchanged + merged };
  const facts = (['imported', 'updated', 'unchanged'] as const)
    .filter((key) => counts[key] > 0)
    .map((key) => t(`centers.${key}`, { count: counts[key] }));
  return (
    <>
      <div role="status" className="rounded-md bg-sunken px-4 py-3">
        <p className="font-semibold">{name}</p>
        <p>{facts.length > 0 ? facts.join(' · ') : t('centers.none')}</p>
        {closed > 0 && <p>{t('centers.closed', { count: closed })}</p>}
        {refused > 0 && <p className="mt-1 text-sm text-ink-soft">{t('centers.skipped', { count: refused })}</p>}
      </div>
      <p className="text-ink-soft">{t('centers.staff')}</p>
      <Link href={PATHS.sportCenters} className={buttonClasses('secondary', 'sm', true)}>
        {t('centers.see')}
      </Link>
    </>
  );
}

function OpenLoad({ load: { id, status, retry_at, fetched, total } }: { load: AreaLoad }) {
  const { t } = useTranslation('setup');
  const locale = useLocale();
  const errorText = useErrorText();
  const cancel = useCancelLoad();
  const time = retry_at && new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(retry_at));
  return (
    <>
      <p role="status" className="flex items-center gap-3">
        <Spinner />
        <span>
          {time ? t('centers.busy', { time }) : t(`centers.${status as 'waiting' | 'fetching' | 'saving'}`)}
          {status === 'fetching' && total > 1 && (
            <span className="text-ink-soft"> {t('centers.part', { done: Math.min(fetched + 1, total), total })}</span>
          )}
        </span>
      </p>
      {cancel.error && <Problem>{errorText(cancel.error)}</Problem>}
      {status !== 'saving' && (
        <Button kind="quiet" size="sm" wide busy={cancel.isPending} onClick={() => cancel.mutate(id)}>
          {t('centers.cancel')}
        </Button>
      )}
    </>
  );
}
