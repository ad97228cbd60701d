import { useState } from 'react';
import { SPORT_TONES } from '#web/shared/sports/sport-tones.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Corner } from '#web/shared/ui/Corner.tsx';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { ConfirmSheet } from '#web/shared/ui/sheet/ConfirmSheet.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { SheetSurface } from '#web/shared/ui/sheet/SheetSurface.tsx';
import type { Example, Examples } from './example.ts';
import type { Samples } from './samples.ts';

const TONES = ['surface', 'sunken', ...SPORT_TONES, 'gold', 'accent', 'danger'] as const;

const screens: Example[] = [
  { state: 'main screen', render: ({ short, text }) => <Screen title={short}>{text}</Screen> },
  {
    state: 'with Back, an action and a long title',
    render: ({ long, text, cancel }) => (
      <Screen title={long} onBack={() => {}} actions={<IconButton icon="share" label={cancel} />}>
        {text}
      </Screen>
    ),
  },
  {
    state: 'with a note',
    render: ({ title, text, hint }) => (
      <Screen title={title} note={<p className="text-sm leading-none text-ink-soft">{hint}</p>}>
        {text}
      </Screen>
    ),
  },
];

export const LAYOUT: Examples = {
  Screen: screens,
  Card: TONES.map((tone) => ({ state: tone, render: ({ text }) => <Card tone={tone}>{text}</Card> })),
  Corner: [{ state: 'empty; the cards below go there', render: () => <Corner /> }],
  CornerCard: [
    { state: 'default', render: (texts) => <CardInCorner texts={texts} /> },
    { state: 'warning', render: (texts) => <CardInCorner texts={texts} is_warning /> },
  ],
  'sheet/Sheet': [
    { state: 'default', render: (texts) => <SheetOpener texts={texts} /> },
    { state: 'long text', render: (texts) => <SheetOpener texts={texts} is_long /> },
  ],
  'sheet/ConfirmSheet': [{ state: 'default', render: (texts) => <ConfirmSheetOpener texts={texts} /> }],
  'sheet/SheetSurface': [{ state: 'loaded before it opens', render: (texts) => <SurfaceOpener texts={texts} /> }],
};

function CardInCorner({ texts, is_warning = false }: { texts: Samples; is_warning?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind="secondary" onClick={() => setOpen(!open)}>
        Toggle
      </Button>
      {open && (
        <CornerCard title={is_warning ? texts.long : texts.title} {...(is_warning ? { icon: 'warning' as const } : {})}>
          <p className="mt-1">{texts.text}</p>
        </CornerCard>
      )}
    </>
  );
}

function SheetOpener({ texts, is_long = false }: { texts: Samples; is_long?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind="secondary" onClick={() => setOpen(true)}>
        {is_long ? 'Open a long sheet' : 'Open a sheet'}
      </Button>
      <Sheet open={open} onOpenChange={setOpen} title={is_long ? texts.long : texts.title} description={texts.hint}>
        {is_long ? Array.from({ length: 24 }, () => texts.problem).join(' ') : texts.text}
      </Sheet>
    </>
  );
}

function ConfirmSheetOpener({ texts }: { texts: Samples }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind="secondary" onClick={() => setOpen(true)}>
        Open a question
      </Button>
      <ConfirmSheet
        open={open}
        onOpenChange={setOpen}
        title={texts.title}
        description={texts.question}
        confirm={texts.short}
        keep={texts.cancel}
        onConfirm={() => {}}
      />
    </>
  );
}

function SurfaceOpener({ texts }: { texts: Samples }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind="secondary" onClick={() => setOpen(true)}>
        Open a loaded sheet
      </Button>
      <SheetSurface open={open} onOpenChange={setOpen} title={texts.unbroken}>
        {texts.text}
      </SheetSurface>
    </>
  );
}
