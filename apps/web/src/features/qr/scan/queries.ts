import { getSportCenter, type SportCenter } from '@sendlap/contract/sport-centers.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { loadSportCenter, saveSportCenters } from '#web/shared/local-db/sport-centers.ts';

/** The center data that a code's screens need. */
export type CenterSummary = ReturnType<typeof toCenterSummary>;

/** The center in a code: from this device, else from the server; null: not found (yet). */
export function useCenter(sport_center_id: string) {
  const { data, isPending, refetch } = useQuery({
    queryKey: ['sport-centers', 'in-code', sport_center_id],
    queryFn: () => loadCenter(sport_center_id),
    networkMode: 'always',
    retry: false,
  });
  return { center: data ?? null, loading: isPending, retry: () => void refetch() };
}

async function loadCenter(id: string): Promise<CenterSummary | null> {
  const copy = await loadSportCenter(id);
  if (copy) return toCenterSummary(copy.value);
  if (!navigator.onLine) return null;
  const center = await call(getSportCenter, { params: { id } });
  void saveSportCenters([center]);
  return toCenterSummary(center);
}

function toCenterSummary({ id, name, sport_facilities, latitude, longitude }: SportCenter) {
  const sports = [...new Set(sport_facilities.map(({ type }) => type))];
  return { id, name, sports, position: { latitude, longitude } };
}
