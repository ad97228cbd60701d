import type { SignedIn, TestApp } from '../app/app.ts';

/** Signs in a new user who is an operator. */
export async function makeOperator(api: TestApp, name: string): Promise<SignedIn> {
  const who = await api.signIn(name);
  await api.database.insertInto('operators').values({ user_id: who.user.id }).execute();
  return who;
}

/** Signs in a new user who is a manager of the center. */
export async function makeManager(api: TestApp, name: string, sport_center_id: string): Promise<SignedIn> {
  const who = await api.signIn(name);
  await api.database.insertInto('managers').values({ user_id: who.user.id, sport_center_id }).execute();
  return who;
}
