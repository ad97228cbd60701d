import type { Channel } from './canaries.ts';

const PUBLIC_ID = 'a public id, of which another form finds no one';
const SECRET = 'a secret, which the server compares and never shows';
const ADDRESS = 'an e-mail address: the server refuses one with a bracket, a quote or a colon';

/**
 * Each free text of a request's body: the channels in which its canaries are left, or why no screen shows it. A new one
 * without a row fails a test.
 */
export const FREE_TEXTS: Record<string, readonly Channel[] | string> = {
  'POST /v1/activities/:client_id/appeal reason': ['appeal'],
  'POST /v1/activities/sync ops.[].reason': ['appeal', 'rejection'],
  'POST /v1/activities/validate reason': ['rejection'],
  'POST /v1/auth/login email': 'is compared with those of accounts',
  'POST /v1/auth/login password': SECRET,
  'POST /v1/auth/oauth/callback/cognito code': SECRET,
  'POST /v1/auth/oauth/callback/cognito code_verifier': SECRET,
  'POST /v1/auth/oauth/callback/cognito iss': 'is compared with the issuer of the settings',
  'POST /v1/auth/oauth/callback/cognito state': SECRET,
  'POST /v1/chats/:chat_id/messages message': ['message'],
  'POST /v1/devices name': 'no screen lists these; a device reads only whether its key is in use',
  'PATCH /v1/server name': ['server name'],
  'POST /v1/manage/people email': ADDRESS,
  'POST /v1/manage/people name': ['name'],
  'POST /v1/manage/people/:public_id/erasure reason': ['erasure'],
  'PUT /v1/manage/people/:public_id/suspension reason': ['suspension'],
  'POST /v1/manage/reports/:id/outcome reason': ['report outcome'],
  'POST /v1/manage/reviews/keep athlete': PUBLIC_ID,
  'POST /v1/manage/reviews/keep reason': ['kept review'],
  'POST /v1/manage/reviews/keep scanner': PUBLIC_ID,
  'POST /v1/manage/reviews/withdrawals reason': ['withdrawal'],
  'POST /v1/push-subscriptions endpoint': 'is called by the server, and never sent to a browser',
  'POST /v1/reports text': ['report'],
  'PATCH /v1/sport-centers/:id/details address': ['edited center address'],
  'PATCH /v1/sport-centers/:id/details name': ['edited center name'],
  'PATCH /v1/sport-centers/:id/details phone': ['edited center phone'],
  'PATCH /v1/sport-centers/:id/details url': ['edited center site'],
  'PUT /v1/sport-centers/:id/hours closed_days.[].reason': ['closed day'],
  'POST /v1/sport-centers/:id/claim/mail email': ADDRESS,
  'POST /v1/sport-centers/:id/claim/mail/code code': SECRET,
  'POST /v1/sport-centers/:id/claim/request message': ['claim'],
  'PATCH /v1/users/settings display_name': ['name', 'blocked name'],
  'PATCH /v1/users/settings notifications.quiet_hours.time_zone': 'the server refuses a text that names no time zone',
};
