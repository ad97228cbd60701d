import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { screen, waitFor } from '@testing-library/dom';
import type { Phone } from '../open-app.ts';

/** Lets the app repeat a read in vain until it reports the failure. Returns the report. */
export function findFailedRead(
  { passTime }: Pick<Phone, 'passTime'>,
  part: Pick<typeof screen, 'getByRole'> = screen,
): Promise<HTMLElement> {
  return waitFor(async () => {
    await passTime(1000);
    return part.getByRole('alert');
  });
}

/** After a read failed, lets the next one succeed and taps Retry. */
export async function retryFailedRead(
  phone: Pick<Phone, 'passTime' | 'server' | 'user'>,
  endpoint: Endpoint,
  part: Pick<typeof screen, 'getByRole'> = screen,
): Promise<void> {
  await findFailedRead(phone, part);
  phone.server.heal(endpoint);
  await phone.user.click(part.getByRole('button', { name: 'Retry' }));
}
