import type { SourcePatch } from '../source-patches.ts';
import type { CallerName } from './callers.ts';

interface CheckOff extends SourcePatch {
  operation: string;
  caller: CallerName;
  /** One of the words about that cell. */
  finding: RegExp;
}

/** Source edits, each of which takes one check away, and the cell in which the matrix must notice it. */
export const CHECKS_OFF: Record<string, CheckOff> = {
  'the right of operators': {
    file: 'http/authenticator.ts',
    find: `if (await operators.isOperator(session.user_id)) return session;
      throw new AppError('not_an_operator'`,
    replace: "if (session) return session; throw new AppError('not_an_operator'",
    operation: 'GET /v1/manage/people/:public_id',
    caller: 'stranger',
    finding: /^answered ok$/,
  },
  'the right of managers': {
    file: 'http/authenticator.ts',
    find: 'if (UUID_V4_PATTERN.test(id) && (await managers.isManager(session.user_id, id))) return session;',
    replace: 'if (UUID_V4_PATTERN.test(id)) return session;',
    operation: 'GET /v1/sport-centers/:id/staff',
    caller: 'manager elsewhere',
    finding: /^answered ok$/,
  },
  'locked accounts': {
    file: 'http/authenticator.ts',
    find: 'if (!session.locked || while_locked) return session;',
    replace: 'if (!session.locked || !while_locked) return session;',
    operation: 'GET /v1/users/settings',
    caller: 'leaving',
    finding: /^answered ok$/,
  },
  'revoked kiosks': {
    file: 'kiosks/store.ts',
    find: ".where('token_hash', '=', token_hash) .where('revoked_at', 'is', null)",
    replace: ".where('token_hash', '=', token_hash)",
    operation: 'GET /v1/kiosks/me/board',
    caller: 'revoked kiosk',
    finding: /^answered ok$/,
  },
  'the owner of a session': {
    file: 'sessions/sessions.ts',
    find: 'await end({ user_id, session_id }, reason)',
    replace: 'await end({ session_id }, reason)',
    operation: 'DELETE /v1/users/sessions/:id',
    caller: 'stranger',
    finding: /^changed .*\bsessions\b/,
  },
  'the owner of an activity': {
    file: 'activities/record/store.ts',
    find: ".where('user_id', '=', user_id) .where('activities.id', '=', id)",
    replace: ".where('activities.id', '=', id)",
    operation: 'GET /v1/activities/:client_id',
    caller: 'friend',
    finding: /^answered ok$/,
  },
  'the participants of a chat': {
    file: 'chats/store.ts',
    find: 'in (c.user_low, c.user_high) and not',
    replace: 'in (c.user_low, c.user_high) or not',
    operation: 'GET /v1/chats/:chat_id/messages',
    caller: 'stranger',
    finding: /^shows .*\bparticipant text\b/,
  },
  'the owner of a browser': {
    file: 'notifications/store.ts',
    find: ".where('id', '=', id) .where('user_id', '=', user_id) .executeTakeFirst();",
    replace: ".where('id', '=', id).executeTakeFirst();",
    operation: 'GET /v1/push-subscriptions/:id',
    caller: 'ex_friend',
    finding: /^answered ok$/,
  },
  'the owner of a position': {
    file: 'locations/store.ts',
    find: "executor.selectFrom('user_locations').selectAll().where('user_id', '=', user_id)",
    replace: "executor.selectFrom('user_locations').selectAll().where('user_id', 'is not', null)",
    operation: 'GET /v1/users/location/current',
    caller: 'friend',
    finding: /^shows .*\bowner latitude\b/,
  },
  'the owner of a phone': {
    file: 'devices/store.ts',
    find: ".where('user_id', '=', user_id) .where('revoked_at', 'is', null) .orderBy(",
    replace: ".where('revoked_at', 'is', null).orderBy(",
    operation: 'POST /v1/devices',
    caller: 'stranger',
    finding: /^shows .*\bowner key\b/,
  },
  'the owner of a phone, whose revocation is answered as a refusal': {
    file: 'devices/service.ts',
    find: 'if (await revokeDeviceKey(database, { id: key_id, user_id }, now())) return;',
    replace:
      'if (await revokeDeviceKey(database, { id: key_id, user_id }, now())) return; await updateDevice(database, key_id, { revoked_at: now() });',
    operation: 'DELETE /v1/devices/:key_id',
    caller: 'stranger',
    finding: /^changed devices$/,
  },
  'the owner of settings': {
    file: 'users/settings.ts',
    find: "updateTable('users').set(changes).where('id', '=', user_id)",
    replace: "updateTable('users').set(changes).where('id', 'is not', null)",
    operation: 'PATCH /v1/users/settings',
    caller: 'stranger',
    finding: /^changed .*\busers of Ada\b/,
  },
  'the owner of events': {
    file: 'events/event-store.ts',
    find: 'select seq, data as event from user_events where user_id = ${user_id} and seq > ${seq} order by seq limit',
    replace: 'select distinct on (seq) seq, data as event from user_events where seq > ${seq} order by seq, type limit',
    operation: 'GET /v1/events',
    caller: 'stranger',
    finding: /^shows /,
  },
};
