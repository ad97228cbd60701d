import { expect, test, vi } from 'vitest';
import { HEARTBEAT, type Stream } from './stream.ts';
import { createTickHandler, TURNS_PER_TICK } from './tick-handler.ts';

const STREAMS = 200;
const TICKS_PER_HEARTBEAT = 10;

const streamOf = (slot: number) => {
  const response = { write: vi.fn(() => true), writableLength: 0, destroyed: false };
  return { slot, user_id: 'Ada', request: { slot }, response, seq: 0 } as unknown as Stream & {
    response: typeof response;
  };
};

test('every stream is checked once a tick, a tenth of them at a time, and sent a heartbeat every ten ticks', () => {
  const streams = Array.from({ length: STREAMS }, (_, slot) => streamOf(slot));
  const authenticate = vi.fn(() => new Promise<never>(() => {}));
  const readLastSeqs = vi.fn(async () => new Map());
  const options = {
    events: { readLastSeqs },
    authenticator: { authenticate },
    catchUp: vi.fn(),
    markUncertain: vi.fn(),
  };
  const runTurn = createTickHandler(new Set(streams), options as unknown as Parameters<typeof createTickHandler>[1]);
  const heartbeats = () => streams.map(({ response }) => response.write.mock.calls.length);

  for (let turn = 1; turn <= TURNS_PER_TICK; turn += 1) {
    const sent_before = heartbeats().reduce((sum, one) => sum + one);
    runTurn();
    expect(authenticate).toHaveBeenCalledTimes((turn * STREAMS) / TURNS_PER_TICK);
    expect(heartbeats().reduce((sum, one) => sum + one) - sent_before).toBeLessThanOrEqual(
      STREAMS / TURNS_PER_TICK / TICKS_PER_HEARTBEAT,
    );
  }
  const checked = authenticate.mock.calls.map(([request]: unknown[]) => request);
  expect(new Set(checked)).toHaveLength(STREAMS);
  expect(readLastSeqs).toHaveBeenCalledTimes(1);

  for (let turn = 0; turn < (TICKS_PER_HEARTBEAT - 1) * TURNS_PER_TICK; turn += 1) runTurn();
  expect(heartbeats()).toEqual(streams.map(() => 1));
  expect(streams[0]?.response.write).toHaveBeenCalledWith(HEARTBEAT);
  // The first checks are not answered, so no second one waits beside them.
  expect(authenticate).toHaveBeenCalledTimes(STREAMS);
});
