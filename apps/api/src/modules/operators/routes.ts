import { getMyOperatorRight, redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import type { Route } from '#api/http/route.ts';
import type { OperatorService } from './service.ts';

export function mountOperators(route: Route, operators: OperatorService): void {
  const readRight = async (user_id: string) => ({ is_operator: await operators.isOperator(user_id) });
  route(getMyOperatorRight, (_input, { user_id }) => readRight(user_id));
  route(redeemOperatorInvite, async ({ body }, { user_id }) => {
    await operators.redeemInvite(user_id, body.code);
    return readRight(user_id);
  });
}
