import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';
import { readBillOfMaterials } from './bill-of-materials.ts';

interface Component {
  name: string;
  version: string;
  hashes?: object[];
}

test('the bill of materials lists the packages of a release, in the versions of the lock file, and no tool of the tests', async () => {
  const { components } = JSON.parse(await readBillOfMaterials()) as { components: Component[] };
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  for (const name of ['fastify', 'react']) {
    const listed = components.find((component) => component.name === name);
    expect(listed?.version).toBe(packages[`node_modules/${name}`].version);
    expect(listed?.hashes?.length).toBeGreaterThan(0);
  }
  expect(components.filter(({ name }) => name === 'vitest')).toEqual([]);
});
