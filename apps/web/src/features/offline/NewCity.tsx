import { useQuery } from '@tanstack/react-query';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { estimateCity, startSaving } from './city-saver.ts';
import { formatBytes } from './format-bytes.ts';
import { useOfflineState } from './offline-store.ts';
import type { SavablePlace } from './place.ts';
import { Saving } from './Saving.tsx';
import { SavingProblem } from './SavingProblem.tsx';
import { usePlaceName } from './use-place-name.ts';

/** Offers to save the shown place, with what it will take; then how far it has come. */
export function NewCity({ place }: { place: SavablePlace }) {
  const { t } = useTranslation('offline');
  const nameOf = usePlaceName();
  const { running, failed } = useOfflineState();
  const share = running[place.id];
  const problem = failed[place.id];
  const { name, country } = nameOf(place);
  return (
    <Card tone="accent">
      <h3 className="text-lg font-bold">{name}</h3>
      {country && <p className="text-sm text-ink-soft">{country}</p>}
      {share === undefined ? (
        <>
          <Estimate place={place} />
          {problem && <SavingProblem reason={problem} />}
          <NetworkButton wide size="sm" icon="download" className="mt-3" onClick={() => void startSaving(place)}>
            {t('save')}
          </NetworkButton>
        </>
      ) : (
        <Saving id={place.id} name={name} share={share} />
      )}
    </Card>
  );
}

function Estimate({ place }: { place: SavablePlace }) {
  const { t } = useTranslation('offline');
  const locale = useLocale();
  const online = useOnline();
  const { data: estimate } = useQuery({
    queryKey: ['offline', 'estimate', place.id],
    queryFn: ({ signal }) => estimateCity(place, signal),
    enabled: online,
  });
  const formatted = `${new Intl.NumberFormat(locale).format(estimate?.centers ?? 0)}${estimate?.is_lower_bound ? '+' : ''}`;
  return (
    <p className="mt-1 min-h-6 text-[0.9375rem] text-ink-soft" aria-live="polite">
      {estimate &&
        t(estimate.is_lower_bound ? 'estimateAtLeast' : 'estimate', {
          centers: t('centers', { count: estimate.centers, formatted }),
          size: formatBytes(estimate.bytes, locale),
        })}
    </p>
  );
}
