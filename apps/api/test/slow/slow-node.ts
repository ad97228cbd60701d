import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { syncActivities } from '@sendlap/contract/activities.ts';
import type { NodeMemory, NodeOrder, NodeReady, NodeRequest } from './run-node-for-slow-clients.ts';
import { type Change, rememberConnections } from './server-ends.ts';
import { HUGE_PATH, type Target } from './slow-kinds.ts';

export interface SlowNode {
  target: Target;
  tokens: string[];
  measureMemory(): Promise<NodeMemory>;
  close(): Promise<void>;
}

/** Starts a whole server in a process of its own, whose memory is then its own too. */
export async function startSlowNode(order: NodeOrder): Promise<SlowNode> {
  const script = fileURLToPath(new URL('./run-node-for-slow-clients.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(order)], { execArgv: ['--expose-gc'] });
  const waiting = new Map<number, (answer: unknown) => void>();
  const ended = once(child, 'exit').then(() => {
    throw new Error('the server ended');
  });
  ended.catch(() => {});
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  let last_id = 0;
  const answerTo = (id: number) => new Promise((resolve) => waiting.set(id, resolve));
  const ask = async (request: NodeRequest) => {
    last_id += 1;
    const answered = answerTo(last_id);
    child.send({ id: last_id, request });
    return Promise.race([answered, ended]);
  };
  const { tokens, ...ports } = (await Promise.race([answerTo(0), ended])) as NodeReady;
  const target: Target = {
    ...ports,
    ...{ post: syncActivities.path, large: '/v1/openapi.json', huge: HUGE_PATH, token: tokens[0] },
    lookUp: rememberConnections(atMostOncePerSecond(async () => (await ask('connections')) as Change[])),
  };
  return {
    target,
    tokens,
    measureMemory: async () => (await ask('memory')) as NodeMemory,
    async close() {
      child.disconnect();
      await ended.catch(() => {});
    },
  };
}

/** Many ask at once. */
function atMostOncePerSecond<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let latest: { at: number; answer: Promise<Value> } | undefined;
  return () => {
    if (!latest || Date.now() > latest.at + 1_000) latest = { at: Date.now(), answer: ask() };
    return latest.answer;
  };
}
