import { SPORT_TONES } from '#web/shared/sports/sport-tones.ts';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { CountBubble } from '#web/shared/ui/controls/CountBubble.tsx';
import { ProofChip, type ProofState } from '#web/shared/ui/controls/ProofChip.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Tag, type TagTone } from '#web/shared/ui/controls/Tag.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ICON_PATHS, type IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { QrImage } from '#web/shared/ui/QrImage.tsx';
import { Swatch, type SwatchLook } from '#web/shared/ui/Swatch.tsx';
import { TimeStepRing } from '#web/shared/ui/TimeStepRing.tsx';
import type { Examples } from './example.ts';

const TAG_TONES: TagTone[] = ['neutral', 'accent', ...SPORT_TONES, 'gold', 'danger', 'outline'];
const PROOFS: ProofState[] = ['saved', 'finished', 'validated', 'rejected'];
const LOOKS: SwatchLook[] = ['solid', 'hatched', 'outline'];
const ICONS = Object.keys(ICON_PATHS) as IconName[];

export const MARKS: Examples = {
  BrandMark: [{ state: 'default', render: () => <BrandMark size={72} /> }],
  'icons/Icon': [
    {
      state: 'all icons',
      wide: true,
      render: () => (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-3">
          {ICONS.map((name) => (
            <li key={name} className="flex flex-col items-center gap-1 text-xs text-ink-soft">
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      ),
    },
  ],
  Swatch: LOOKS.map((look) => ({
    state: look,
    render: () => <Swatch look={look} className="block size-8 text-ink-faint" />,
  })),
  TimeStepRing: [30, 12, 1].map((seconds_left) => ({
    state: `${seconds_left} s left`,
    render: ({ title }) => (
      <div className="inline-block rounded-lg bg-white p-3 text-black">
        <TimeStepRing time_step_s={30} seconds_left={seconds_left} label={title} />
      </div>
    ),
  })),
  QrImage: [
    {
      state: 'short text',
      render: ({ title }) => <QrImage text="https://sendlap.test" label={title} className="w-40 rounded-md" />,
    },
    {
      state: 'long text',
      render: ({ title }) => <QrImage text={'7'.repeat(300)} label={title} className="w-40 rounded-md" />,
    },
  ],
  'controls/Tag': [
    ...TAG_TONES.map((tone): Examples[string][number] => ({
      state: tone,
      render: ({ label }) => (
        <Tag tone={tone} icon="clock">
          {label}
        </Tag>
      ),
    })),
    { state: 'long text, wraps', render: ({ long }) => <Tag wraps>{long}</Tag> },
  ],
  'controls/ProofChip': [
    ...PROOFS.map((proof) => ({ state: proof, render: () => <ProofChip proof={proof} /> })),
    { state: 'validated by a referee', render: () => <ProofChip proof="validated" validation="referee" /> },
  ],
  'controls/CountBubble': [0, 3, 99, 100].map((count) => ({
    state: `${count}${count === 0 ? ', nothing' : ''}`,
    render: () => <CountBubble count={count} />,
  })),
  'controls/Spinner': [16, 22, 96].map((size) => ({ state: `${size} px`, render: () => <Spinner size={size} /> })),
};
