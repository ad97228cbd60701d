import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { preloadScreen, SignedInFrame } from './SignedInFrame.tsx';

vi.mock('./router/router.tsx', () => ({ ROUTES: [] }));
vi.mock('./layouts/SignedInLayout.tsx', () => ({
  SignedInLayout: ({ children }: { children: ReactNode }) => <main>{children}</main>,
}));

test('a layout that has loaded before its first render is shown without the placeholder', async () => {
  preloadScreen('app', '/activities/4f6');
  await vi.dynamicImportSettled();
  const shown = renderToString(
    <SignedInFrame>
      <p>Home</p>
    </SignedInFrame>,
  );
  expect(shown).toBe('<!--$--><main><p>Home</p></main><!--/$-->');
});
