import { type ComponentProps, useState } from 'react';
import { ApiError } from '#web/shared/api/errors.ts';
import { ConfirmedButton } from '#web/shared/ui/controls/ConfirmedButton.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { FormButtons } from '#web/shared/ui/controls/FormButtons.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { SettingSwitch } from '#web/shared/ui/controls/SettingSwitch.tsx';
import { Switch } from '#web/shared/ui/controls/Switch.tsx';
import type { Examples } from './example.ts';
import type { Samples } from './samples.ts';

const failure = new ApiError({ code: 'NETWORK_ERROR', status: 0 });

export const FORMS: Examples = {
  'controls/Field': [
    { state: 'empty', render: ({ label, title }) => <Field label={label} placeholder={title} /> },
    {
      state: 'filled, with a hint',
      render: ({ label, rtl, hint }) => <Field label={label} hint={hint} defaultValue={rtl} />,
    },
    {
      state: 'error',
      render: ({ label, error, unbroken }) => <Field label={label} error={error} defaultValue={unbroken} />,
    },
    {
      state: 'with icon and action',
      render: ({ label, cancel }) => (
        <Field label={label} label_hidden icon="search" action={<IconButton icon="x" label={cancel} />} />
      ),
    },
    { state: 'disabled', render: ({ label, title }) => <Field label={label} disabled defaultValue={title} /> },
    { state: 'long label', render: ({ long }) => <Field label={long} /> },
  ],
  'controls/SegmentedControl': [
    { state: 'default', render: (texts) => <Segments texts={texts} /> },
    { state: 'large', render: (texts) => <Segments texts={texts} large /> },
    { state: 'long text', render: (texts) => <Segments texts={{ ...texts, options: [texts.short, texts.long] }} /> },
  ],
  'controls/Switch': [
    { state: 'off, on', render: (texts) => <Switches texts={texts} /> },
    { state: 'disabled', render: ({ title }) => <Switch label={title} checked disabled onChange={() => {}} /> },
    { state: 'busy', render: ({ title }) => <Switch label={title} checked busy onChange={() => {}} /> },
  ],
  'controls/SettingSwitch': [
    { state: 'saved', render: (texts) => <Setting texts={texts} value /> },
    { state: 'not loaded', render: (texts) => <Setting texts={texts} value={false} can_change={false} /> },
    { state: 'unknown, so without a switch', render: (texts) => <Setting texts={texts} value={null} /> },
    { state: 'error', render: (texts) => <Setting texts={texts} value error={failure} /> },
  ],
  'controls/ConfirmedButton': [
    { state: 'default', render: (texts) => <Confirmed texts={texts} /> },
    { state: 'disabled', render: (texts) => <Confirmed texts={texts} disabled /> },
    { state: 'busy once confirmed', render: (texts) => <Confirmed texts={texts} busy /> },
    { state: 'error once asked', render: (texts) => <Confirmed texts={texts} error={failure} /> },
  ],
  'controls/FormButtons': [
    { state: 'default', render: ({ short, cancel }) => <Buttons submit={short} cancel={cancel} /> },
    {
      state: 'danger, long text',
      render: ({ long, cancel }) => <Buttons submit={long} cancel={cancel} kind="danger" />,
    },
    { state: 'busy', render: ({ short, cancel }) => <Buttons submit={short} cancel={cancel} busy /> },
  ],
  'controls/Problem': [
    { state: 'default', render: ({ error }) => <Problem>{error}</Problem> },
    { state: 'long text', render: ({ problem, unbroken }) => <Problem>{`${problem} ${unbroken}`}</Problem> },
  ],
};

function Buttons({
  busy = false,
  ...props
}: Partial<ComponentProps<typeof FormButtons>> & Record<'submit' | 'cancel', string>) {
  return <FormButtons busy={busy} onCancel={() => {}} {...props} />;
}

function Segments({ texts: { label, options }, large = false }: { texts: Samples; large?: boolean }) {
  const [value, setValue] = useState('0');
  return (
    <SegmentedControl
      label={label}
      large={large}
      value={value}
      options={options.map((option, nth) => ({ value: String(nth), label: option }))}
      onChange={setValue}
    />
  );
}

function Switches({ texts: { title, long, text } }: { texts: Samples }) {
  const [checked, setChecked] = useState(true);
  return (
    <div className="flex flex-col gap-4">
      <Switch label={title} checked={!checked} onChange={(next) => setChecked(!next)} />
      <Switch label={long} description={text} checked={checked} onChange={setChecked} />
    </div>
  );
}

interface SettingProps {
  texts: Samples;
  value: boolean | null;
  can_change?: boolean;
  error?: Error;
}

type Update = ComponentProps<typeof SettingSwitch>['update'];

/** A change takes a second, then the switch shows the stored value again. */
function Setting({ texts: { title, text }, value, can_change = true, error }: SettingProps) {
  const mutate: Update['mutate'] = (_next, options) => {
    const settle = options?.onSettled as (() => void) | undefined;
    setTimeout(() => settle?.(), 1000);
  };
  const update = { mutate, isError: error !== undefined, error: error ?? null } as Update;
  return <SettingSwitch label={title} description={text} value={value} can_change={can_change} update={update} />;
}

interface ConfirmedProps {
  texts: Samples;
  disabled?: boolean;
  busy?: boolean;
  error?: Error;
}

function Confirmed({ texts: { short, question, cancel }, disabled = false, busy = false, error }: ConfirmedProps) {
  return (
    <ConfirmedButton
      label={short}
      question={question}
      cancel={cancel}
      disabled={disabled}
      mutation={{ isPending: busy, error: error ?? null }}
      onConfirm={(onDone) => onDone()}
    />
  );
}
