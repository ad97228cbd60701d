import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import type { MatrixWorld } from '../matrix/matrix-world.ts';
import { USERS } from './restore-caller.ts';
import type { Pool } from './valid-values.ts';

/** Ids, names and codes of the world. */
export async function fillPool(world: MatrixWorld): Promise<Pool> {
  const { people } = world.circle;
  const climbs = [await world.finished(), await world.finished(), await world.decided('reject'), await world.running()];
  const users = USERS.map((name) => world.of(name).user);
  return {
    center: [world.center, world.elsewhere, world.third],
    sport_center_id: [world.center, world.elsewhere],
    sport_center_ids: [world.center, world.elsewhere],
    chat_id: Object.values(people.chats).map(({ id }) => id),
    messageIds: Object.values(people.chats).flatMap(({ message_ids }) => message_ids),
    message_ids: people.chats.participant.message_ids,
    client_id: climbs.map(({ client_id }) => client_id),
    payload: climbs.map((climb) => world.codeOf(climb).payload),
    code: [world.codeOf(climbs[1] ?? (await world.finished())).digits],
    key_id: [world.device.key_id],
    user_id: users.map(({ id }) => id),
    receiver_id: users.map(({ id }) => id),
    public_id: users.map(({ public_id }) => public_id),
    receiver_public_id: users.map(({ public_id }) => public_id),
    scanner: users.map(({ public_id }) => public_id),
    friend: [people.friendship_id, people.sent_id, people.got_id, ...users.map(({ id }) => id)],
    browser: [people.subscription_id],
    session: USERS.map((name) => world.of(name).session_id),
    redirect_uri: [`${world.api.url}/auth/callback`],
    decision_ids: await decisionsOf(world),
    // Of a tile.
    z: ['0', '1', '8'],
    x: ['0', '1', '124'],
    file: ['0.mvt', '1.mvt', '93.mvt'],
  };
}

async function decisionsOf({ api, owner }: MatrixWorld): Promise<string[]> {
  const rows = api.database.selectFrom('decisions').select('id').where('athlete_id', '=', owner.user.id);
  return (await rows.execute()).map(({ id }) => id);
}

/** `:id` of a path is of what the path names. */
export function poolFor({ path }: Pick<Endpoint, 'path'>, pool: Pool): Pool {
  const nouns = { 'sport-centers': 'center', friends: 'friend', 'push-subscriptions': 'browser', users: 'session' };
  const noun = path.split('/')[2] ?? '';
  return { ...pool, id: pool[nouns[noun as keyof typeof nouns]] ?? [] };
}
