import type { Skill } from '@sendlap/contract/stats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatSkill } from './format-skill.ts';

/** The radar's figures in words and numbers. */
export function SkillTable({ axes }: { axes: Skill[] }) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  return (
    <table className="figures w-full text-[0.9375rem]">
      <caption className="sr-only">{t('skills.caption')}</caption>
      <thead className="text-[0.8125rem] text-ink-soft">
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
