import { InviteStep } from '#web/features/setup/InviteStep.tsx';
import { LoadFailure } from '#web/features/setup/LoadFailure.tsx';
import { NoRight } from '#web/features/setup/NoRight.tsx';
import { StepCard } from '#web/features/setup/StepCard.tsx';
import type { Examples } from '../example.ts';

export const SETUP: Examples = {
  InviteStep: [
    { state: 'default', render: () => <InviteStep url="https://sendlap.example" /> },
    {
      state: 'long address',
      render: () => <InviteStep url="https://escalada-y-natacion.club-deportivo-municipal.example" />,
    },
    { state: 'reached by this device only', render: () => <InviteStep url="http://localhost:3000" /> },
  ],
  LoadFailure: [
    { state: 'none', render: () => <LoadFailure failure={null} /> },
    {
      state: 'default',
      render: () => (
        <LoadFailure failure="https://download.openstreetmap.example/europe/spain-latest.osm.pbf: HTTP 503" />
      ),
    },
  ],
  NoRight: [{ state: 'default', render: ({ title, text }) => <NoRight title={title} text={text} /> }],
  StepCard: [
    {
      state: 'to do',
      render: ({ title, text }) => (
        <StepCard number={2} title={title}>
          {text}
        </StepCard>
      ),
    },
    {
      state: 'done, long title',
      render: ({ long, text }) => (
        <StepCard number={2} title={long} is_done>
          {text}
        </StepCard>
      ),
    },
  ],
};
