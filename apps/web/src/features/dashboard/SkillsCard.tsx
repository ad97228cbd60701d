import type { Skills } from '@sendlap/contract/stats.ts';
import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Segmented } from '#web/shared/ui/Segmented.tsx';
import { SkillRadar } from './SkillRadar.tsx';
import { SkillTable } from './SkillTable.tsx';

const VIEWS = ['radar', 'table'] as const;

/** Six sides of how I train, as a radar or as the table of the same figures. */
export function SkillsCard({ skills: { axes } }: { skills: Skills }) {
  const { t } = useTranslation('dashboard');
  const [view, setView] = useState<(typeof VIEWS)[number]>('radar');
  const is_empty = axes.every(({ value }) => value === 0);
  return (
    <Card
      as="section"
      data-tour="skills-radar"
      aria-labelledby="skills-title"
      className="flex flex-col gap-3 rounded-xl p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="skills-title" className="text-xl font-bold">
          {t('skills.title')}
        </h2>
        <Segmented
          label={t('skills.view')}
          value={view}
          options={VIEWS.map((value) => ({ value, label: t(`skills.${value}`) }))}
          onChange={setView}
          className="max-w-full basis-44"
        />
      </div>
      {is_empty && <p className="text-[0.9375rem] text-ink-soft">{t('skills.empty')}</p>}
      {view === 'radar' ? <SkillRadar axes={axes} /> : <SkillTable axes={axes} />}
    </Card>
  );
}
