import { MESSAGES_A_MINUTE } from '@sendlap/contract/chats.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { buildTestApp } from '#test/app/app.ts';
import { openChatScene } from '#test/scenes/chat-scene.ts';

afterEach(() => vi.useRealTimers());

test('60 messages of a minute are sent on three nodes in all, and a friend still answers', async () => {
  const first = await buildTestApp();
  const others = [
    await buildTestApp({ database_url: first.database_url }),
    await buildTestApp({ database_url: first.database_url }),
  ];
  const scenes = [first, ...others].map(openChatScene);
  const [scene] = scenes as [(typeof scenes)[number]];
  const { ada, ben, chat_id } = await scene.openChat();
  // Freezes the date: a slow machine must not reach the next minute.
  vi.useFakeTimers({ toFake: ['Date'] });
  const statuses: number[] = [];
  for (let nth = 0; nth < MESSAGES_A_MINUTE + 12; nth++) {
    const { status } = (await scenes[nth % scenes.length]?.send(ada, chat_id, `Message ${nth}`)) ?? { status: 0 };
    statuses.push(status);
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(60);
  expect(new Set(statuses.slice(-scenes.length))).toEqual(new Set([429]));
  expect((await scene.send(ben, chat_id, 'Slowly')).status).toBe(201);
  for (const node of [...others, first]) await node.close();
});
