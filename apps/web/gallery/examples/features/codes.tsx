import { ACTIVITY_TIME_STEP_MS, timeStepAt } from '@sendlap/domain/qr-code.ts';
import type { ComponentProps } from 'react';
import { CameraChoiceList, CameraView } from '#web/features/qr/camera/CameraView.tsx';
import { ActivityLine, BrightnessHint, CodePanel } from '#web/features/qr/code/CodePanel.tsx';
import { CodeProblem, Notice } from '#web/features/qr/code/CodeProblem.tsx';
import { GoldMark } from '#web/features/qr/code/GoldMark.tsx';
import { AthleteActivityRow, RowText } from '#web/features/qr/decisions/AthleteActivityRow.tsx';
import { AdjustForm } from '#web/features/qr/scan/AdjustForm.tsx';
import type { Verdict } from '#web/features/qr/scan/precheck-scan.ts';
import { ScanBars } from '#web/features/qr/scan/ScanBars.tsx';
import { ScanCard } from '#web/features/qr/scan/ScanCard.tsx';
import { ScanFacts, ScanFigures } from '#web/features/qr/scan/ScanFacts.tsx';
import { ScanLink } from '#web/features/qr/scan/ScanLink.tsx';
import type { ScannedCode } from '#web/features/qr/scan/scanned-code.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import type { Example, Examples } from '../example.ts';
import { ACTIVITIES, DAY_MS, HALL, HOUR_MS, LONG_CENTER_NAME, MINUTE_MS, NORA, NOW, RTL_NAME } from './data.ts';
import { ignore, ToOpen } from './interaction.tsx';

const CODE = { url: 'https://sendlap.test/v#AAECAwQFBgcICQoLDA0ODw', digits: '48150623', time_step: 0 };
const finished = (activity: typeof ACTIVITIES.waiting) => ({ ...activity, ended_at: activity.ended_at ?? '' });

const scanOf = (facts: Partial<ScannedCode['code']>): ScannedCode => ({
  payload: '',
  code: {
    activity_id: ACTIVITIES.waiting.client_id,
    public_id: 'maria_de_los_angeles.fernandez',
    display_name: 'María de los Áng',
    sport_center_id: HALL.id,
    sport_type: 'climbing',
    started_at: NOW - HOUR_MS - 95 * MINUTE_MS,
    ended_at: NOW - HOUR_MS,
    paused_s: 0,
    intensity: 'hard',
    distance_m: null,
    step: timeStepAt(NOW, ACTIVITY_TIME_STEP_MS),
    key_id: '',
    ...facts,
  },
  scanned: { now_ms: NOW, clock: { offset_ms: 0, age_ms: 0, jump_ms: 0 }, online: true },
});
const CLIMB = scanOf({});
const SWIM = scanOf({
  sport_type: 'swimming',
  display_name: RTL_NAME,
  public_id: 'sara.q',
  started_at: NOW - DAY_MS - 2 * HOUR_MS,
  ended_at: NOW - DAY_MS,
  paused_s: 900,
  intensity: null,
  distance_m: 12_350,
});

const card = (state: string, verdict: Verdict, scan = CLIMB, center_name: string | null = HALL.name): Example => ({
  state,
  render: () => (
    <ScanCard
      scan={scan}
      center_name={center_name}
      verdict={verdict}
      onConfirm={ignore}
      onViewChange={ignore}
      onScanAgain={ignore}
    />
  ),
});

type Camera = ComponentProps<typeof CameraView>['camera'];
const CAMERA: Camera = { video: { current: null }, state: 'running', torch: null, choice: null, retry: ignore };
const BLACK = 'relative flex h-160 flex-col overflow-hidden bg-black text-white';
const CAMERA_STATES: Camera['state'][] = [
  'held',
  'starting',
  'asking',
  'running',
  'refused',
  'missing',
  'busy',
  'insecure',
  'failed',
];
const CAMERAS = ['', 'Back Ultra Wide Camera with autofocus (facing environment, 0.5×)', 'Front'].map((label, nth) => ({
  id: String(nth),
  label,
}));
const TORCH = { on: true, toggle: ignore };
const BARS = { onBack: ignore, onTypeDigits: ignore, onPicture: ignore };

export const CODES: Examples = {
  'camera/CameraView': [
    ...CAMERA_STATES.map(
      (state): Example => ({
        state,
        render: ({ hint }) => (
          <div className={BLACK}>
            <CameraView camera={{ ...CAMERA, state }} hint={hint} is_error={false} />
          </div>
        ),
      }),
    ),
    {
      state: 'a code that cannot be used',
      render: ({ problem }) => (
        <div className={BLACK}>
          <CameraView camera={CAMERA} hint={problem} is_error />
        </div>
      ),
    },
    {
      state: 'several cameras',
      render: () => <CameraChoiceList cameras={CAMERAS} selected_id="1" choose={ignore} onDone={ignore} />,
    },
  ],
  'code/CodePanel': [
    {
      state: 'signing',
      render: () => <CodePanel activity={finished(ACTIVITIES.waiting)} code={null} seconds_left={30} />,
    },
    {
      state: 'default',
      render: () => <CodePanel activity={finished(ACTIVITIES.waiting)} code={CODE} seconds_left={7} />,
    },
    {
      state: 'its facts',
      render: ({ text }) => (
        <div className="flex flex-col gap-3">
          <ActivityLine activity={finished(ACTIVITIES.waiting)} />
          <ActivityLine activity={finished({ ...ACTIVITIES.saved, paused_s: 600 })} />
          <BrightnessHint text={text} />
        </div>
      ),
    },
  ],
  'code/CodeProblem': [
    { state: 'no key', error: new ApiError({ code: 'NETWORK_ERROR', status: 0 }) },
    { state: 'failed', error: new ApiError({ code: 'HTTP_ERROR', status: 409, backend_error: 'conflict' }) },
    {
      state: 'too many devices',
      error: new ApiError({ code: 'HTTP_ERROR', status: 409, backend_error: 'device_limit_reached' }),
    },
  ]
    .map(({ state, error }): Example => ({ state, render: () => <CodeProblem error={error} onRetry={ignore} /> }))
    .concat(
      (['none', 'running', 'tooLate'] as const).map((name) => ({
        state: name,
        render: () => <Notice icon="qr" name={name} href={PATHS.dashboard} />,
      })),
    ),
  'code/GoldMark': [
    { state: 'default', render: () => <GoldMark icon="check" burst={false} /> },
    { state: 'celebrated', render: () => <ToOpen>{() => <GoldMark icon="shield" burst />}</ToOpen> },
  ],
  'decisions/AthleteActivityRow': [
    { state: 'default', athlete: NORA.name, center: HALL.name },
    { state: 'long names', athlete: 'María de los Ángeles Fernández-Villaverde', center: LONG_CENTER_NAME },
    { state: 'right to left, unknown center', athlete: RTL_NAME, center: null },
  ].map(({ state, athlete, center }) => ({
    state,
    render: ({ text, label }) => (
      <ul>
        <AthleteActivityRow
          activity={{
            athlete,
            sport_type: 'climbing',
            sport_center_name: center,
            started_at: CLIMB.code.started_at,
            ended_at: CLIMB.code.ended_at,
          }}
          tag={<Tag>{label}</Tag>}
        >
          <RowText>{text}</RowText>
        </AthleteActivityRow>
      </ul>
    ),
  })),
  'scan/AdjustForm': [CLIMB, SWIM].map((scan) => ({
    state: scan.code.sport_type,
    render: () => <AdjustForm scan={scan} onConfirm={ignore} />,
  })),
  'scan/ScanBars': [
    {
      state: 'with everything (switch the network off)',
      render: () => (
        <div className={BLACK}>
          <ScanBars {...BARS} torch={TORCH} is_running onCameras={ignore} />
        </div>
      ),
    },
    {
      state: 'no picture',
      render: () => (
        <div className={BLACK}>
          <ScanBars {...BARS} torch={null} is_running={false} onCameras={null} />
        </div>
      ),
    },
  ],
  'scan/ScanCard': [
    card('referee', { kind: 'referee' }),
    card('friend', { kind: 'peer', rights_fresh: true }, SWIM, LONG_CENTER_NAME),
    card('friend, old rights', { kind: 'peer', rights_fresh: false }, SWIM, null),
    card('rights unknown', { kind: 'doubt', code: 'rights_unknown' }),
    card('another sport', { kind: 'doubt', code: 'sport_not_refereed' }),
    card('stopped', { kind: 'stop', code: 'clock_jumped' }),
  ],
  'scan/ScanFacts': [
    { state: 'climb', scan: CLIMB, name: LONG_CENTER_NAME },
    { state: 'swim', scan: SWIM, name: null },
  ].map(({ state, scan, name }) => ({
    state,
    render: () => (
      <div className="flex flex-col gap-3">
        <ScanFigures scan={scan} adjustment={{}} by_referee />
        <ScanFacts scan={scan} center_name={name} />
      </div>
    ),
  })),
  'scan/ScanLink': [{ state: 'default', render: () => <ScanLink /> }],
};
