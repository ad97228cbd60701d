import type { User } from '@sendlap/contract/users.ts';

/** An athlete with an account; by default with the body data of `bioInfoOf`. */
export function athlete(name: string, number: number, more: Partial<User> = {}): User {
  return {
    id: `${String(number).repeat(8)}-1111-4111-8111-111111111111`,
    email: `${name.toLowerCase()}@example.org`,
    name,
    public_id: name.toLowerCase(),
    age: 30,
    weight_kg: 70,
    height_cm: 175,
    is_active: true,
    created_at: '2026-11-01T10:00:00.000Z',
    ...more,
  };
}

export const NORA = athlete('Nora', 1);
export const EVE = athlete('Eve', 2);
export const MAX = athlete('Max', 3);
