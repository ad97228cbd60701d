import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Database } from '#api/database/database.ts';
import { isDone, type RankOrder } from './carry-out.ts';

const NODE = fileURLToPath(new URL('./rank-node.ts', import.meta.url));

/** A server's process that is killed now and then; the caller of an order still learns whether it was carried out. */
export interface MortalNode {
  /** Resolves once the order is committed, by this process or by its successor. */
  carryOut(order: RankOrder): Promise<void>;
  /** Kills it with SIGKILL and starts a new one in its place. */
  kill(): Promise<void>;
  kills(): number;
  end(): Promise<void>;
}

interface Answer {
  id?: string;
  error?: string;
}

export async function startMortalNode(database: Database, env: Record<string, string>): Promise<MortalNode> {
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  let kills = 0;
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const next = fork(NODE, { env: { ...process.env, ...env } });
    await once(next, 'message');
    next.on('message', ({ id = '', error }: Answer) => {
      const order = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) order?.resolve();
      else order?.reject(new Error(error));
    });
    return next;
  }

  const once_given = (order: RankOrder) =>
    new Promise<boolean>((resolve, reject) => {
      const giver = child;
      const onExit = () => {
        waiting.delete(order.id);
        resolve(false);
      };
      giver.once('exit', onExit);
      const settle = (done: () => void) => {
        giver.off('exit', onExit);
        done();
      };
      waiting.set(order.id, {
        resolve: () => settle(() => resolve(true)),
        reject: (error) => settle(() => reject(error)),
      });
      giver.send(order, (error) => error && onExit());
    });
  let restarted: Promise<void> = Promise.resolve();

  return {
    async carryOut(order) {
      for (let tries = 0; ; tries += 1) {
        if (await once_given(order)) return;
        await restarted;
        if (await isDone(database, order.id)) return;
        if (tries > 20) throw new Error('an order was never carried out');
      }
    },
    async kill() {
      kills += 1;
      const dead = once(child, 'exit');
      restarted = (async () => {
        child.kill('SIGKILL');
        await dead;
        child = await start();
      })();
      await restarted;
    },
    kills: () => kills,
    async end() {
      child.disconnect();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
