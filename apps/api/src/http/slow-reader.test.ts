import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectEvents, storeEvents } from '#test/app/stream-events.ts';
import { openStreamNode, type Reader, type StreamNode } from '#test/app/stream-node.ts';
import { openTestDatabase } from '#test/database/database.ts';

/** So long that the messages exceed the system's own buffers. */
const LENGTH = 4000;

const board = { type: 'leaderboard_changed', key: '2026-W40', sport_center_id: randomUUID() } as const;

let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own?.close());

const openNode = (timing: { tick_ms?: number; stalled_ms?: number } = {}) =>
  openStreamNode({ database: own.database, database_url: own.url, ...timing });

describe('a reader who takes no bytes', () => {
  /** Opens a connection that sends a request and never reads the answer. */
  async function openDeaf(at: StreamNode, { token }: Reader) {
    const socket = connect(at.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      `GET ${EVENTS_PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nlast-event-id: 0\r\n\r\n`,
    );
    return socket;
  }

  test('occupies no more than a buffer of the server, and gets all stored events once it reads again', async () => {
    const node = await openNode({ tick_ms: 100 });
    const ada = await node.signIn();
    const deaf = await openDeaf(node, ada);
    const names = Array.from({ length: 100 }, () => 'x'.repeat(LENGTH));
    for (let nth = 0; nth < 100; nth++) {
      await storeEvents(node.events, ada, names);
      node.events.sendEphemeral([ada.user_id], { type: 'typing', chat_id: randomUUID(), user_id: ada.user_id });
      // By then the buffers of both systems are full, however large they grew.
      if (nth === 90) await node.events.transact(async (trx) => node.events.publish(trx, [], [board]));
      for (const { writableLength } of node.sockets) expect(writableLength).toBeLessThan(300_000);
    }
    const ids: number[] = [];
    const counts = { typing: 0, leaderboard_changed: 0, resync: 0 };
    let rest = '';
    deaf.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('id: ')) ids.push(Number(line.slice(4)));
        for (const type of ['typing', 'leaderboard_changed', 'resync'] as const)
          if (line === `event: ${type}`) counts[type] += 1;
      }
    });
    deaf.resume();
    await vi.waitFor(() => expect(ids).toHaveLength(10_000), { timeout: 30_000 });
    expect(ids.every((id, nth) => id === nth + 1)).toBe(true);
    expect(counts.typing).toBeLessThan(100);
    // A late reader does not get the old board change, but a `resync`.
    await vi.waitFor(() => expect(counts).toMatchObject({ leaderboard_changed: 0, resync: 1 }));
    deaf.destroy();
    await node.close();
  }, 60_000);

  test('is disconnected after a while; a reader for whom nothing waits is not', async () => {
    const strict = await openNode({ stalled_ms: 2_500, tick_ms: 10 });
    const [ada, ben] = [await strict.signIn(), await strict.signIn()];
    const waiting = await strict.read(ben);
    const deaf = await openDeaf(strict, ada);
    const names = Array.from({ length: 100 }, () => 'x'.repeat(LENGTH));
    for (let nth = 0; nth < 100; nth++) await storeEvents(strict.events, ada, names);
    const [, server_end] = strict.sockets;
    await vi.waitFor(() => expect(server_end?.destroyed).toBe(true), { timeout: 20_000 });
    await storeEvents(strict.events, ben, ['still here']);
    await expectEvents(waiting, [[1, 'still here']]);
    deaf.destroy();
    await strict.close();
  }, 30_000);
});
