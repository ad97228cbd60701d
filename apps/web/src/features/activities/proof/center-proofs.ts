import { getCenterProofs } from '@sendlap/contract/sport-centers.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';

/** The referees by sport and the kiosk of a center. */
export function centerProofsQuery(id: string) {
  return queryOptions({
    queryKey: ['sport-centers', 'proofs', id],
    queryFn: ({ signal }) => call(getCenterProofs, { params: { id } }, { signal }),
  });
}

/** Whether a center has a referee or a kiosk (without either, nothing counts on public boards); null: not known. */
export function useHasRefereeOrKiosk(id: string): boolean | null {
  const { data } = useQuery(centerProofsQuery(id));
  return data ? data.has_kiosk || data.referee_sports.length > 0 : null;
}
