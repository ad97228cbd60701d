import {
  createPasswordLink,
  createPerson,
  erasePerson,
  getPerson,
  grantOperator,
  inviteOperator,
  liftSuspension,
  listPeople,
  revokeOperator,
  suspendPerson,
} from '@sendlap/contract/server-management/people.ts';
import type { Route } from '#api/http/route.ts';
import type { PeopleService } from './service.ts';

export function mountPeople(route: Route, people: PeopleService): void {
  route(listPeople, ({ query }) => people.listPeople(query));
  route(getPerson, ({ params }) => people.getPerson(params.public_id));
  route(createPerson, ({ body }, { user_id }) => people.createPerson(body, user_id));
  route(createPasswordLink, ({ params }, { user_id }) => people.createPasswordLink(params.public_id, user_id));
  route(inviteOperator, (_input, { user_id }) => people.inviteOperator(user_id));
  route(grantOperator, ({ params }, { user_id }) => people.grantOperator(params.public_id, user_id));
  route(revokeOperator, ({ params }, { user_id }) => people.revokeOperator(params.public_id, user_id));
  route(suspendPerson, ({ params, body }, { user_id: actor_id }) =>
    people.suspend(params.public_id, { actor_id, ...body }),
  );
  route(liftSuspension, ({ params }, { user_id: actor_id }) => people.liftSuspension(params.public_id, { actor_id }));
  route(erasePerson, ({ params, body }, { user_id: actor_id }) =>
    people.erase(params.public_id, { actor_id, ...body }),
  );
}
