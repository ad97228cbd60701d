import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { useHasRefereeOrKiosk } from '#web/features/activities/proof/center-proofs.ts';
import { ProofMethods } from '#web/features/activities/proof/ProofMethods.tsx';
import { StartActivity } from '#web/features/activities/StartActivity.tsx';
import { CenterBoard } from '#web/features/leaderboards/CenterBoard.tsx';
import { FriendsHere } from '#web/features/locations/FriendsHere.tsx';
import { type CenterSlots, SportCenterPage } from '#web/features/sport-centers/center/SportCenterPage.tsx';
import { useSession } from '#web/shared/api/use-session.ts';
import { useIsManager } from '#web/shared/data/managed-centers.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';

const CenterManagementLink = lazyPart<{ user_id: string; id: string }>(
  () => import('#web/features/center-management/CenterManagementLink.tsx').then((m) => m.CenterManagementLink),
  ['center-management'],
);

/** A center's page; a signed-in user can start an activity and sees friends and the board. */
export function SportCenterScreen() {
  const { id = '' } = useParams<{ id: string }>();
  const { user } = useSession();
  const goBack = useGoBack(PATHS.sportCenters);
  const renderProofs = (center: SportCenter) => <Proofs user_id={user?.id ?? null} center={center} />;
  const slots = user ? slotsFor(user.id) : {};
  return <SportCenterPage key={id} center_id={id} onBack={goBack} renderProofs={renderProofs} {...slots} />;
}

function sportsOf({ sport_facilities }: SportCenter): Sport[] {
  return sport_facilities.map(({ type }) => type);
}

function Proofs({ user_id, center }: { user_id: string | null; center: SportCenter }) {
  const { id, name } = center;
  const { data: right } = useQuery({ ...operatorRightQuery(user_id ?? ''), enabled: user_id !== null });
  const is_manager = useIsManager(user_id, id);
  const can_manage = is_manager || right?.is_operator === true;
  return <ProofMethods center={{ id, name, sports: sportsOf(center) }} can_manage={can_manage} />;
}

function slotsFor(user_id: string): CenterSlots {
  return {
    renderStart: (center) => <StartActivity center={{ id: center.id, name: center.name, sports: sportsOf(center) }} />,
    renderFriends: ({ id }) => (
      <>
        <CenterManagementLink user_id={user_id} id={id} />
        <FriendsHere user_id={user_id} sport_center_id={id} />
      </>
    ),
    renderBoard: ({ id }) => <LocalBoard user_id={user_id} id={id} />,
  };
}

function LocalBoard({ user_id, id }: { user_id: string; id: string }) {
  return <CenterBoard user_id={user_id} sport_center_id={id} has_proof={useHasRefereeOrKiosk(id)} />;
}
