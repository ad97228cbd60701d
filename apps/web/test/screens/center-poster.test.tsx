import { type CenterPoster, getCenterPoster } from '@sendlap/contract/center-management/claims.ts';
import { screen, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepSavedFiles } from '../device/saved-files.ts';
import { POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { followLink } from '../scenes/follow-link.ts';

const POSTER: CenterPoster = {
  center_name: 'Piscina Peñota',
  sports: ['swimming'],
  url: `https://sendlap.example/sport-centers/${POOL.id}`,
  server_name: 'Club Andorra',
};

/** jsdom has no canvas: collects the texts that are drawn, a new list for each drawing. */
function drawOnPaper(): { texts: string[] } {
  const paper = { texts: [] as string[] };
  const context = {
    measureText: (text: string) => ({ width: text.length * 60 }),
    fillText: (text: string) => void paper.texts.push(text),
    fillRect: () => {
      if (paper.texts.length > 0) paper.texts = [];
    },
    getImageData: () => ({ data: new Uint8ClampedArray([0, 0, 0, 255]) }),
    ...Object.fromEntries(
      ['beginPath', 'arc', 'fill', 'save', 'restore', 'translate', 'scale'].map((name) => [name, () => {}]),
    ),
  };
  const getContext = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.stubGlobal('Path2D', class {});
  Object.defineProperty(document, 'fonts', { configurable: true, value: { load: async () => [] } });
  onTestFinished(() => {
    getContext.mockRestore();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(document, 'fonts');
  });
  return paper;
}

function openPoster(options: Parameters<typeof openApp>[0] = {}) {
  const { prepare, ...rest } = options;
  return openApp({
    path: `/sport-centers/${POOL.id}/poster`,
    ...rest,
    prepare: (server) => {
      server.on(getCenterPoster, () => POSTER);
      prepare?.(server);
    },
  });
}

test('an athlete reads that the poster is for managers', async () => {
  await openPoster({ prepare: (server) => server.refuse(getCenterPoster, 'not_a_manager') });
  within(await screen.findByRole('alert')).getByText('Only a manager of this center can do this.');
});

test('without a network the page says that it needs a connection, and loads automatically', async () => {
  drawOnPaper();
  const phone = await openPoster({ path: '/profile' });
  await screen.findByRole('link', { name: /^Friends/ });
  phone.setOnline(false);
  phone.server.fail(getCenterPoster);
  followLink(`/sport-centers/${POOL.id}/poster`);
  await screen.findByText('The poster needs a connection.', { exact: false });
  phone.server.heal(getCenterPoster);
  phone.setOnline(true);
  await screen.findByRole('img', { name: 'Preview of the poster' });
});

test('a browser without a canvas says that it could not draw', async () => {
  drawOnPaper();
  vi.mocked(HTMLCanvasElement.prototype.getContext).mockReturnValue(null);
  await openPoster();
  within(await screen.findByRole('alert')).getByText('The poster could not be drawn');
});

test('the poster is drawn in the language of the app, and in the other one, and saved as a PDF', async () => {
  const saved = keepSavedFiles();
  const paper = drawOnPaper();
  const { user } = await openPoster({ language: 'es' });
  await screen.findByRole('img', { name: 'Vista previa del cartel' });
  await expect.poll(() => paper.texts.join(' ')).toContain('Confirma aquí lo que nadas, con Sendlap');
  expect(paper.texts.join(' ')).toContain('Piscina Peñota');
  expect(paper.texts).toContain('Club Andorra · sendlap.example');
  await user.click(screen.getByRole('radio', { name: 'English' }));
  await expect.poll(() => paper.texts.join(' ')).toContain('Get your swims confirmed here with Sendlap');
  await user.click(screen.getByRole('radio', { name: 'Carta' }));
  await user.click(screen.getByRole('button', { name: 'Guardar como PDF' }));
  await expect
    .poll(() => saved.map(({ name, file }) => [name, file.type]))
    .toEqual([['cartel.pdf', 'application/pdf']]);
});
