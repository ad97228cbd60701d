import { expect, test } from 'vitest';
import type { ActivityView } from './data/activity-view.ts';
import { findUsualStart } from './usual-start.ts';

/** Newest first, written as 'center sport proof intensity', the last three optional. */
function activities(...starts: string[]): ActivityView[] {
  return starts.map((start) => {
    const [center = '', sport_type = 'climbing', proof = 'validated', intensity = 'moderate'] = start.split(' ');
    const facts = { sport_center_id: center, sport_center_name: center.toUpperCase(), sport_type, proof, intensity };
    return facts as unknown as ActivityView;
  });
}

test('without an activity, or with refused ones alone, nothing is usual', () => {
  expect(findUsualStart([])).toBe(null);
  expect(findUsualStart(activities('wall climbing refused'))).toBe(null);
});

test('the sport and center of most activities are usual, with the intensity of the last time there', () => {
  const usual = findUsualStart(
    activities('pool swimming', 'wall climbing saved hard', 'wall climbing', 'wall swimming', 'pool climbing'),
  );
  expect(usual).toEqual({ center: { id: 'wall', name: 'WALL', sports: ['climbing'] }, intensity: 'hard' });
});

test('of two that are as frequent, the newer one is usual', () => {
  expect(findUsualStart(activities('pool swimming', 'wall climbing'))?.center.id).toBe('pool');
});

test('only the latest 20 activities count', () => {
  const old = Array.from({ length: 30 }, () => 'old climbing');
  const recent = Array.from({ length: 11 }, () => 'new climbing');
  expect(findUsualStart(activities(...recent, ...old))?.center.id).toBe('new');
});
