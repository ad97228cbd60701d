import type { Area } from '../fault.ts';

const API = 'apps/api/src/modules/sport-centers';
const INDEX = ['packages/center-index/src/*.test.ts'];

export const SPORT_CENTERS: Area = {
  area: 'sport-centers',
  faults: [
    {
      name: 'cursor-of-another-search',
      file: `${API}/cursor.ts`,
      find: 'tag !== tagOfQuery(query) || typeof',
      replace: 'tag === undefined || typeof',
      harm: 'The second page of a search goes on with the list of another one.',
      tests: [`${API}/refusals.test.ts`],
    },
    {
      name: 'private-centers-are-open-to-all',
      file: 'packages/center-index/src/center-index.ts',
      find: 'mask: CLOSED | sport | (query.is_private === undefined ? 0 : PRIVATE),',
      replace: 'mask: CLOSED | sport,',
      harm: 'A search for centers that are open to all shows private ones.',
      tests: [...INDEX, `${API}/brute-force.test.ts`],
    },
    {
      name: 'total-hides-that-more-match',
      file: 'packages/center-index/src/search.ts',
      find: 'total_is_lower_bound: count > count_to,',
      replace: 'total_is_lower_bound: false,',
      harm: 'A list of thousands of centers claims to be 1,000.',
      tests: INDEX,
    },
    {
      name: 'page-begins-with-the-last-one',
      file: 'packages/center-index/src/search.ts',
      find: 'this.compare(hit, paging.after) <= 0',
      replace: 'this.compare(hit, paging.after) < 0',
      harm: 'Each page of centers begins with the last one of the page before.',
      tests: INDEX,
    },
    {
      name: 'map-beyond-the-antimeridian-is-empty',
      file: 'packages/domain/src/geo.ts',
      find: 'longitude >= box.west || longitude <= box.east',
      replace: 'longitude >= box.west && longitude <= box.east',
      harm: 'In Fiji the map shows no center.',
      tests: ['packages/domain/src/geo.test.ts'],
    },
    {
      name: 'cut-file-closes-centers',
      file: `${API}/import/close-vanished.ts`,
      find: 'vanished > open * MOST_CLOSED',
      replace: 'vanished > open',
      harm: 'A file that was cut short closes nearly all centers.',
      tests: [`${API}/import/complete.test.ts`],
    },
    {
      name: 'dry-run-writes',
      file: `${API}/import/close-vanished.ts`,
      find: 'if (ids.length === 0 || dryRun) return ids.length;',
      replace: 'if (ids.length === 0) return ids.length;',
      harm: 'A dry run of an import opens closed centers.',
      tests: [`${API}/import/complete.test.ts`, `${API}/import/import-centers.test.ts`],
    },
    {
      name: 'count-tells-who-trains',
      file: `${API}/recommendations.ts`,
      find: 'coarsen(counted.get(number) ?? 0)',
      replace: 'counted.get(number) ?? 0',
      harm: 'A number that grows by one tells that one athlete trained at a center.',
      tests: [`${API}/recommended.test.ts`],
    },
    {
      name: 'busy-search-stays-busy',
      file: `${API}/word-search-gate.ts`,
      find: 'else running -= 1;',
      replace: '',
      harm: 'After some searches every further one is refused.',
      tests: [`${API}/word-search-gate.test.ts`],
    },
    {
      name: 'filter-options-grow-old',
      file: `${API}/service.ts`,
      find: 'if (counted?.version !== version) {',
      replace: 'if (counted === undefined) {',
      harm: 'A country whose first center was imported is not among the filters.',
      tests: [`${API}/sport-centers.test.ts`, `${API}/snapshot.test.ts`],
    },
    {
      name: 'distance-in-the-wrong-unit',
      file: 'packages/domain/src/geo.ts',
      find: '(degrees * Math.PI) / 180;',
      replace: '(degrees * Math.PI) / 200;',
      harm: 'Every distance is a tenth too short.',
      tests: ['packages/domain/src/geo.test.ts'],
    },
  ],
};
