import { expect, test } from 'vitest';
import { withoutFamilies } from '../apps/api/test/debian-packages.ts';

const STATUS = `Package: erlang-base
Status: install ok installed
Description: runtime
 Package: erlang-base is named here too

Package: libc6
Status: install ok installed

Package: erlang-p1-tls
Status: install ok installed

Package: erlangen
Status: install ok installed
`;

test('Packages of the family that is unpacked are fetched although the machine has them', () => {
  expect(withoutFamilies(STATUS, ['ejabberd', 'erlang-base'])).toBe(`Package: libc6
Status: install ok installed

Package: erlangen
Status: install ok installed
`);
});

test('Packages of other families stay, and are not fetched again', () => {
  expect(withoutFamilies(STATUS, ['redis-server'])).toBe(STATUS);
});
