import { beforeEach, expect, test, vi } from 'vitest';
import { createLocateFlow, type LocateState } from './locate-flow.ts';

const HERE = { latitude: 42.5, longitude: 1.5, accuracy_m: 12 };
const deps = {
  readPermission: vi.fn<() => Promise<PermissionState>>(),
  readPosition: vi.fn(async (_: AbortSignal) => HERE),
  onFound: vi.fn(),
  onChange: vi.fn<(state: LocateState) => void>(),
};
const shown = () => deps.onChange.mock.lastCall?.[0];

beforeEach(() => {
  vi.clearAllMocks();
  deps.readPermission.mockResolvedValue('prompt');
});

test('the browser asks for the position only after a prompt has said why [spec 1.location.prompt, 2.location.prompt]', async () => {
  const flow = createLocateFlow(deps);
  await flow.begin();
  expect(shown()).toEqual({ prompt: 'ask', is_busy: false });
  expect(deps.readPosition).not.toHaveBeenCalled();
  await flow.share();
  expect(deps.onFound).toHaveBeenCalledExactlyOnceWith(HERE);
  expect(shown()).toEqual({ prompt: null, is_busy: false });
});

test('after "not now" the browser does not prompt', async () => {
  const flow = createLocateFlow(deps);
  await flow.begin();
  flow.close();
  expect(shown()).toEqual({ prompt: null, is_busy: false });
  expect(deps.readPosition).not.toHaveBeenCalled();
});

test('an athlete who denied the permission before reads how to change it, and the browser does not prompt', async () => {
  deps.readPermission.mockResolvedValue('denied');
  await createLocateFlow(deps).begin();
  expect(shown()).toEqual({ prompt: 'denied', is_busy: false });
  expect(deps.readPosition).not.toHaveBeenCalled();
});

test('an athlete who granted the permission before is located without a prompt', async () => {
  deps.readPermission.mockResolvedValue('granted');
  await createLocateFlow(deps).begin();
  expect(deps.onFound).toHaveBeenCalledOnce();
  expect(deps.onChange.mock.calls.every(([{ prompt }]) => prompt === null)).toBe(true);
});

test.each([
  ['denied', 'denied'],
  ['timeout', 'timeout'],
  ['blocked', 'blocked'],
  [new Error('something else'), 'unavailable'],
])('the failure %s is shown as %s, and the way is free again', async (failure, prompt) => {
  deps.readPosition.mockRejectedValueOnce(failure);
  const flow = createLocateFlow(deps);
  await flow.begin();
  await flow.share();
  expect(shown()).toEqual({ prompt, is_busy: false });
  expect(deps.onFound).not.toHaveBeenCalled();
});

test('the prompt stays while the device looks', async () => {
  const looking = Promise.withResolvers<typeof HERE>();
  deps.readPosition.mockReturnValueOnce(looking.promise);
  const flow = createLocateFlow(deps);
  await flow.begin();
  const sharing = flow.share();
  expect(shown()).toEqual({ prompt: 'ask', is_busy: true });
  looking.resolve(HERE);
  await sharing;
  expect(shown()).toEqual({ prompt: null, is_busy: false });
});

test('"not now" during the search aborts it, and neither a position nor an error follows', async () => {
  const looking = Promise.withResolvers<typeof HERE>();
  deps.readPosition.mockReturnValueOnce(looking.promise);
  const flow = createLocateFlow(deps);
  await flow.begin();
  const sharing = flow.share();
  flow.close();
  expect(deps.readPosition.mock.lastCall?.[0].aborted).toBe(true);
  looking.resolve(HERE);
  await sharing;
  expect(deps.onFound).not.toHaveBeenCalled();
  const failing = Promise.withResolvers<typeof HERE>();
  deps.readPosition.mockReturnValueOnce(failing.promise);
  const failed = flow.share();
  flow.close();
  failing.reject('timeout');
  await failed;
  expect(shown()).toEqual({ prompt: null, is_busy: false });
});

test('a user who leaves during the permission check starts no position request', async () => {
  const decided = Promise.withResolvers<PermissionState>();
  deps.readPermission.mockReturnValueOnce(decided.promise);
  const flow = createLocateFlow(deps);
  const begun = flow.begin();
  flow.close();
  decided.resolve('granted');
  await begun;
  expect(deps.readPosition).not.toHaveBeenCalled();
  expect(shown()).toEqual({ prompt: null, is_busy: false });
});
