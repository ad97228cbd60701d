import type { User } from '@sendlap/contract/users.ts';

/** An athlete with an account; unless said, without body data. */
export function athlete(name: string, number: number, more: Partial<User> = {}): User {
  return {
    id: `${String(number).repeat(8)}-1111-4111-8111-111111111111`,
    email: `${name.toLowerCase()}@example.org`,
    name,
    public_id: name.toLowerCase(),
    age: 0,
    weight_kg: 0,
    height_cm: 0,
    is_active: true,
    created_at: '2026-11-01T10:00:00.000Z',
    ...more,
  };
}

export const NORA = athlete('Nora', 1);
export const EVE = athlete('Eve', 2);
export const MAX = athlete('Max', 3);
