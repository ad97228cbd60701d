import { getCenterProofs } from '@sendlap/contract/sport-centers.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, session } from '#web/shared/api/client.ts';
import { useSession } from '#web/shared/api/use-session.ts';
import { createCopies } from '#web/shared/copies/copies.ts';
import { useShown } from '#web/shared/copies/use-shown.ts';

const copies = createCopies('center proofs', getCenterProofs.data);

function centerProofsQuery(id: string) {
  return queryOptions({
    queryKey: ['sport-centers', 'proofs', id],
    async queryFn({ signal }) {
      const proofs = await call(getCenterProofs, { params: { id } }, { signal });
      const { user } = session.getState();
      if (user) copies.save(user.id, proofs, id);
      return proofs;
    },
  });
}

/** The referees by sport and the kiosk of a center; a user's copy until they come. */
export function useCenterProofs(id: string) {
  const { user } = useSession();
  const query = useQuery(centerProofsQuery(id));
  const copy = useQuery({ ...copies.query(user?.id ?? '', id), enabled: user !== null });
  return { isLoading: query.isLoading, ...useShown(query, copy.data) };
}

/** Whether a center has a referee or a kiosk (without either, nothing counts on public boards); null: not known. */
export function useHasRefereeOrKiosk(id: string): boolean | null {
  const { data } = useCenterProofs(id);
  return data ? data.has_kiosk || data.referee_sports.length > 0 : null;
}
