import { useState } from 'react';
import { SPORT_TONES } from '#web/shared/sports/sport-tones.ts';
import { Button, type ButtonKind, type ButtonSize } from '#web/shared/ui/controls/Button.tsx';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { ActionIcon, NavigationIcon, navigationItemClasses } from '#web/shared/ui/controls/NavigationItem.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import type { Example, Examples } from './example.ts';

const KINDS: ButtonKind[] = ['primary', 'secondary', 'quiet', 'danger', ...SPORT_TONES];
const SIZES: ButtonSize[] = ['sm', 'md', 'lg'];
const VARIANTS = ['plain', 'tinted', 'floating'] as const;

const buttons: Example[] = [
  ...KINDS.map(
    (kind): Example => ({
      state: kind,
      render: ({ short }) => (
        <div className="flex flex-wrap gap-2">
          <Button kind={kind}>{short}</Button>
          <Button kind={kind} disabled>
            {short}
          </Button>
          <Button kind={kind} busy>
            {short}
          </Button>
        </div>
      ),
    }),
  ),
  ...SIZES.map(
    (size): Example => ({
      state: `${size}, with an icon`,
      render: ({ short }) => (
        <Button size={size} icon="play">
          {short}
        </Button>
      ),
    }),
  ),
  {
    state: 'long text',
    render: ({ long }) => (
      <Button wide icon="play">
        {long}
      </Button>
    ),
  },
];

export const CONTROLS: Examples = {
  'controls/Button': buttons,
  'controls/NetworkButton': [
    {
      state: 'default (switch the network off)',
      render: ({ short }) => <NetworkButton icon="sync">{short}</NetworkButton>,
    },
    { state: 'busy', render: ({ short }) => <NetworkButton busy>{short}</NetworkButton> },
    { state: 'long text', render: ({ long }) => <NetworkButton wide>{long}</NetworkButton> },
  ],
  'controls/IconButton': VARIANTS.flatMap((variant): Example[] => [
    { state: variant, render: ({ short }) => <IconButton icon="share" label={short} variant={variant} /> },
    {
      state: `${variant}, disabled`,
      render: ({ short }) => <IconButton icon="share" label={short} variant={variant} disabled />,
    },
  ]),
  'controls/Chip': [
    { state: 'default, to press', render: ({ options }) => <Chips options={options} /> },
    ...SPORT_TONES.map(
      (tone): Example => ({
        state: `${tone}, selected`,
        render: ({ label }) => (
          <Chip selected tone={tone} icon="check">
            {label}
          </Chip>
        ),
      }),
    ),
    {
      state: 'long text, which scrolls sideways',
      render: ({ long }) => (
        <div className="overflow-x-auto py-1">
          <Chip selected={false}>{long}</Chip>
        </div>
      ),
    },
  ],
  'controls/LinkRow': [
    { state: 'default', render: ({ title, text }) => <LinkRow href="#" icon="map-pin" title={title} text={text} /> },
    {
      state: 'on a surface, long text',
      render: ({ long, unbroken }) => (
        <LinkRow href="#" icon="user" title={long} text={unbroken} className="bg-surface" />
      ),
    },
  ],
  'controls/NavigationItem': [
    ...[false, true].map(
      (is_current): Example => ({
        state: is_current ? 'current' : 'default',
        render: ({ label }) => (
          <button type="button" className={navigationItemClasses(is_current)}>
            <NavigationIcon name="home" is_current={is_current} />
            {label}
          </button>
        ),
      }),
    ),
    ...(['accent', ...SPORT_TONES] as const).map(
      (tone): Example => ({
        state: `action, ${tone}`,
        render: ({ label }) => (
          <button type="button" className={navigationItemClasses(false)}>
            <ActionIcon name="play" tone={tone} />
            {label}
          </button>
        ),
      }),
    ),
  ],
};

function Chips({ options }: { options: string[] }) {
  const [selected, setSelected] = useState<number | null>(0);
  return (
    <div className="flex gap-2">
      {options.map((option, nth) => (
        <Chip key={option} selected={nth === selected} onClick={() => setSelected(nth === selected ? null : nth)}>
          {option}
        </Chip>
      ))}
    </div>
  );
}
