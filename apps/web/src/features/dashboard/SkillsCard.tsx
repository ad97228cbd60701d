import type { Skill, Skills } from '@sendlap/contract/stats.ts';
import { useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { formatSkill } from './format-skill.ts';
import { SkillRadar } from './SkillRadar.tsx';

const VIEWS = ['radar', 'table'] as const;

/** Six axes of my training, as a radar or as a table of the same figures. */
export function SkillsCard({ skills: { axes } }: { skills: Skills }) {
  const { t } = useTranslation('dashboard');
  const [view, setView] = useState<(typeof VIEWS)[number]>('radar');
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
        <SegmentedControl
          label={t('skills.view')}
          value={view}
          options={VIEWS.map((value) => ({ value, label: t(`skills.${value}`) }))}
          onChange={setView}
          className="max-w-full basis-[11rem]"
        />
      </div>
      {view === 'radar' ? <SkillRadar axes={axes} /> : <SkillTable axes={axes} />}
    </Card>
  );
}

/** The radar's figures as a table. */
function SkillTable({ axes }: { axes: Skill[] }) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  return (
    <table className="figures w-full text-label">
      <caption className="sr-only">{t('skills.caption')}</caption>
      <thead className="text-caption text-ink-soft">
        <tr>
          <th scope="col" className="py-2 text-left font-semibold">
            {t('skills.skill')}
          </th>
          <th scope="col" className="py-2 pl-2 text-right font-semibold">
            {t('skills.measured')}
          </th>
          <th scope="col" className="py-2 pl-2 text-right font-semibold">
            {t('skills.of100')}
          </th>
        </tr>
      </thead>
      <tbody>
        {axes.map(({ axis, value, measured }) => (
          <tr key={axis} className="border-t border-line">
            <th scope="row" className="py-3 text-left font-semibold">
              {t(`skills.axis.${axis}`)}
            </th>
            <td className="py-3 pl-2 text-right text-ink-soft">{formatSkill(axis, measured, locale)}</td>
            <td className="py-3 pl-2 text-right font-bold">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
