import { resolveDigits } from '@sendlap/contract/activities.ts';
import type { RefereeRight } from '@sendlap/contract/referees.ts';
import { getSportCenter } from '@sendlap/contract/sport-centers.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { loadSportCenter, saveSportCenters } from '#web/shared/local-db/sport-centers.ts';

/** The name of the center in a code: from the rights, from this device's centers, else from the server. */
export function useCenterName(sport_center_id: string, rights: RefereeRight[] | null): string | null {
  const known = rights?.find((right) => right.sport_center_id === sport_center_id)?.sport_center_name;
  const { data } = useQuery({
    queryKey: ['sport-centers', 'name', sport_center_id],
    queryFn: () => loadCenterName(sport_center_id),
    enabled: known === undefined,
    networkMode: 'always',
    retry: false,
  });
  return known ?? data ?? null;
}

async function loadCenterName(id: string): Promise<string | null> {
  const copy = await loadSportCenter(id);
  if (copy) return copy.value.name;
  if (!navigator.onLine) return null;
  const center = await call(getSportCenter, { params: { id } });
  void saveSportCenters([center]);
  return center.name;
}

/** Asks the server which code shows these 8 digits now; gives its payload. */
export function useResolveDigits() {
  return useMutation({
    mutationFn: async (code: string) => (await call(resolveDigits, { body: { code } })).payload,
    networkMode: 'always',
  });
}
