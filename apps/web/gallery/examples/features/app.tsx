import { ErrorScreen } from '#web/app/errors/ErrorScreen.tsx';
import { ScreenBoundary } from '#web/app/errors/ScreenBoundary.tsx';
import { ListColumn, NothingChosen } from '#web/app/layouts/ListColumn.tsx';
import { ChunkLoadError } from '#web/app/router/page.ts';
import { ShellApp } from '#web/app/shell/ShellApp.tsx';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import type { Examples } from '../example.ts';
import { LONG_NAME, RTL_NAME } from './data.ts';
import { ignore } from './interaction.tsx';

const NAMES = [null, 'Nora', LONG_NAME, RTL_NAME, '🧗 Max'];

/** A screen whose code cannot be loaded. */
function MissingScreen(): never {
  throw new ChunkLoadError(ignore, new Error('no code'));
}

export const APP: Examples = {
  'errors/ErrorScreen': [
    { state: 'the page has to be loaded again', render: () => <ErrorScreen /> },
    { state: 'a screen did not load (switch the network off)', render: () => <ErrorScreen onRetry={ignore} /> },
  ],
  'errors/ScreenBoundary': [
    { state: 'loaded', render: ({ text }) => <ScreenBoundary path="/">{text}</ScreenBoundary> },
    {
      state: 'the code did not load',
      render: () => (
        <ScreenBoundary path="/">
          <MissingScreen />
        </ScreenBoundary>
      ),
    },
  ],
  'layouts/ListColumn': [
    {
      state: 'beside a screen',
      render: ({ text }) => <ListColumn path="/" list={{ path: '/', view: text }} is_alone={false} />,
    },
    { state: 'nothing chosen', render: () => <NothingChosen /> },
  ],
  'shell/ShellApp': [{ state: 'default', wide: true, render: () => <ShellApp /> }],
};

export const PEOPLE_PARTS: Examples = {
  Avatar: (['sm', 'md', 'lg'] as const).map((size) => ({
    state: size,
    render: () => (
      <div className="flex flex-wrap gap-2">
        {NAMES.map((name) => (
          <Avatar key={name} name={name} size={size} />
        ))}
      </div>
    ),
  })),
};
