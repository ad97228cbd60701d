import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { screen } from '@testing-library/dom';
import { expect, vi } from 'vitest';
import type { Phone } from '../open-app.ts';

type Part = Pick<typeof screen, 'getByRole'>;

/** Lets the app repeat a read in vain until it reports the failure. Returns the report. */
export async function findFailedRead(
  { passTime, server }: Pick<Phone, 'passTime' | 'server'>,
  endpoint: Endpoint,
  part: Part = screen,
): Promise<HTMLElement> {
  // No time passes while the code of the screen loads.
  await vi.waitFor(() => expect(server.asked(endpoint)).not.toEqual([]));
  return vi.waitFor(async () => {
    await passTime(1000);
    return part.getByRole('alert');
  });
}

/** After a read failed, lets the next one succeed and taps Retry. */
export async function retryFailedRead(
  phone: Pick<Phone, 'passTime' | 'server' | 'user'>,
  endpoint: Endpoint,
  part: Part = screen,
): Promise<void> {
  await findFailedRead(phone, endpoint, part);
  phone.server.heal(endpoint);
  await phone.user.click(part.getByRole('button', { name: 'Retry' }));
}
