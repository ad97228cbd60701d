import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RecentChanges } from './recent-changes.ts';
import { createUserCache } from './user-cache.ts';

/** Emits changes by hand, in place of a database. */
function fakeChanges() {
  const listeners: ((user_id: string | undefined) => void)[] = [];
  const state: { down: boolean } = { down: false };
  const addUserChange = (user_id: string | undefined) => {
    for (const listener of listeners) listener(user_id);
  };
  const changes: RecentChanges = {
    ensureFresh: () => (state.down ? Promise.reject(new Error('down')) : undefined),
    hasEnded: () => false,
    addEnded: () => {},
    addUserChange,
    onUserChange: (listener) => void listeners.push(listener),
  };
  return { changes, state, tell: addUserChange };
}

function openUsers() {
  const fake = fakeChanges();
  const rows = new Map<string, number>([['ada', 1]]);
  let loads = 0;
  const users = createUserCache(fake.changes, async (id) => {
    loads += 1;
    const version = rows.get(id);
    // Reads now and answers later, as a database does.
    await Promise.resolve();
    return version === undefined ? undefined : { version };
  });
  return { ...fake, users, rows, loads: () => loads };
}

describe('a user kept in memory', () => {
  test('is not given while the database cannot say whether it changed', async () => {
    const { users, state } = openUsers();
    await users.find('ada');
    state.down = true;
    await expect(users.find('ada')).rejects.toThrow('down');
  });

  test('is read once, and its callers cannot change it', async () => {
    const { users, loads } = openUsers();
    const [first, second] = [await users.find('ada'), await users.find('ada')];
    expect(first).toBe(second);
    expect(Object.isFrozen(first)).toBe(true);
    expect(loads()).toBe(1);
  });

  test('is not stored when it does not exist, and not when reading failed', async () => {
    const { users, rows, loads } = openUsers();
    expect(await users.find('eve')).toBeUndefined();
    rows.set('eve', 7);
    expect(await users.find('eve')).toEqual({ version: 7 });
    expect(loads()).toBe(2);
    let fails = true;
    const flaky = createUserCache(fakeChanges().changes, async () => {
      if (fails) throw new Error('down');
      return { version: 1 };
    });
    await expect(flaky.find('ada')).rejects.toThrow('down');
    fails = false;
    expect(await flaky.find('ada')).toEqual({ version: 1 });
  });

  test('is found among several, in their order, and read again once it is too old', async () => {
    const { users, loads } = openUsers();
    expect(await users.findAll(['eve', 'ada', 'ada'])).toEqual([undefined, { version: 1 }, { version: 1 }]);
    expect(await users.findAll(['ada'])).toEqual([await users.find('ada')]);
    expect(loads()).toBe(2);
    let version = 0;
    const load = async () => {
      version += 1;
      return { version };
    };
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1);
    onTestFinished(() => clock.mockRestore());
    const short = createUserCache(fakeChanges().changes, load, { max_age_ms: 1_000 });
    expect(await short.findAll(['ada'])).toEqual([{ version: 1 }]);
    clock.mockReturnValue(1_001);
    expect(await short.find('ada')).toEqual({ version: 1 });
    clock.mockReturnValue(1_002);
    expect(await short.find('ada')).toEqual({ version: 2 });
  });

  test('gives way to another where only so many are kept', async () => {
    let loads = 0;
    const load = async () => {
      loads += 1;
      return { loads };
    };
    const few = createUserCache(fakeChanges().changes, load, { max_size: 2 });
    await few.findAll(['ada', 'bea', 'cleo']);
    expect(await few.findAll(['bea', 'cleo'])).toEqual([{ loads: 2 }, { loads: 3 }]);
    expect(await few.find('ada')).toEqual({ loads: 4 });
  });

  test('is read again after a change, also when that came while it was being read', async () => {
    const { users, rows, tell } = openUsers();
    const early = users.find('ada');
    rows.set('ada', 2);
    tell('ada');
    expect(await users.find('ada')).toEqual({ version: 2 });
    await early;
    expect(await users.find('ada')).toEqual({ version: 2 });
  });

  test('is never older than the last change, whatever the order', async () => {
    const step = fc.constantFrom('change one', 'change and tell all', 'find', 'find and wait', 'let time pass');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { users, rows, tell } = openUsers();
        const asked: Promise<unknown>[] = [];
        let version = 1;
        const find = async () => {
          const at_least = version;
          const user = await users.find('ada');
          expect(user?.version).toBeGreaterThanOrEqual(at_least);
        };
        for (const name of steps) {
          if (name.startsWith('change')) {
            version += 1;
            rows.set('ada', version);
            tell(name === 'change one' ? 'ada' : undefined);
          } else if (name === 'let time pass') await Promise.resolve();
          else asked.push(find());
          if (name === 'find and wait') await asked.at(-1);
        }
        await Promise.all(asked);
        await find();
      }),
    );
  });
});
