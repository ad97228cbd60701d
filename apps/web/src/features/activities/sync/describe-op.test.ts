import type { Op } from '@sendlap/contract/activities.ts';
import { describe, expect, test } from 'vitest';
import type { LocalActivity } from '#web/shared/outbox/store/records.ts';
import { describeOp } from './describe-op.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const SAVED_AT = Date.parse('2026-11-21T12:00:00Z');
const facts = {
  sport_center_id: '22222222-2222-4222-8222-222222222222',
  sport_center_name: 'Sharma Climbing',
  sport_type: 'climbing',
  started_at: '2026-11-21T10:00:00.000Z',
  intensity: null,
} as const;
const local = { ...facts, client_id: ID } as unknown as LocalActivity;
const ids = { op_id: '33333333-3333-4333-8333-333333333333', client_id: ID };

const describePayload = (payload: Op, known: LocalActivity[] = []) =>
  describeOp({ payload, saved_at: SAVED_AT }, known);

describe('a step that this device knows little about', () => {
  test('still has a text: an activity that is not stored here, a code that cannot be read', () => {
    const unknown = { sport_type: null, subject: null };
    expect(describePayload({ kind: 'delete', ...ids })).toEqual({ kind: 'delete', ...unknown, at: SAVED_AT });
    const scanned_at = '2026-11-21T11:00:00.000Z';
    const clock = { offset_ms: 0, age_ms: null };
    const scan: Op = { kind: 'scan', ...ids, decision: 'reject', scanned_at, clock, payload: 'A'.repeat(40) };
    expect(describePayload(scan)).toEqual({ kind: 'reject', ...unknown, at: Date.parse(scanned_at) });
    const ahead = { ...scan, clock: { ...clock, offset_ms: -600_000 } };
    expect(describePayload(ahead)).toMatchObject({ at: Date.parse('2026-11-21T10:50:00.000Z') });
  });
});

test('a step of an activity that began elsewhere is described by the facts saved with it', () => {
  const payload: Op = { kind: 'edit', ...ids, edited_at: facts.started_at, intensity: 'hard' };
  expect(describeOp({ payload, facts, saved_at: SAVED_AT }, [])).toEqual({
    kind: 'edit',
    sport_type: 'climbing',
    subject: 'Sharma Climbing',
    at: SAVED_AT,
  });
});

test('a finish is described by its own time and the center of its activity', () => {
  const ended_at = '2026-11-21T11:30:00.000Z';
  expect(describePayload({ kind: 'finish', ...ids, ended_at }, [local])).toEqual({
    kind: 'finish',
    sport_type: 'climbing',
    subject: 'Sharma Climbing',
    at: Date.parse(ended_at),
  });
});
