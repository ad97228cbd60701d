import {
  acceptClaim,
  checkClaimLine,
  createClaimLine,
  getCenterClaim,
  getCenterPoster,
  listClaims,
  redeemClaimCode,
  refuseClaim,
  requestClaim,
  sendClaimMail,
} from '@sendlap/contract/center-management/claims.ts';
import type { Route } from '#api/http/route.ts';
import type { PosterService } from './poster.ts';
import type { RequestedClaimService } from './requested-claims.ts';
import type { ClaimService } from './service.ts';

interface ClaimServices {
  claims: ClaimService;
  requested_claims: RequestedClaimService;
  posters: PosterService;
}

export function mountClaims(route: Route, { claims, requested_claims, posters }: ClaimServices): void {
  route(getCenterClaim, ({ params }, { user_id }) => claims.getClaim(user_id, params.id));
  route(sendClaimMail, ({ params, body }, { user_id }) => claims.sendCode(user_id, params.id, body));
  route(redeemClaimCode, ({ params, body }, { user_id }) => claims.redeemCode(user_id, params.id, body.code));
  route(createClaimLine, ({ params }, { user_id }) => claims.createLine(user_id, params.id));
  route(checkClaimLine, ({ params }, { user_id }) => claims.checkLine(user_id, params.id));
  route(requestClaim, ({ params, body }, { user_id }) => claims.request(user_id, params.id, body.message));
  route(listClaims, () => requested_claims.list());
  route(acceptClaim, ({ params }, { user_id }) => requested_claims.accept(params.claim_id, user_id));
  route(refuseClaim, ({ params }, { user_id }) => requested_claims.refuse(params.claim_id, user_id));
  route(getCenterPoster, ({ params }) => posters.getPoster(params.id));
}
