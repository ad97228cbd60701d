import type { Skill } from '@sendlap/contract/stats.ts';
import type { SkillAxis } from '@sendlap/domain/progress/skills.ts';
import { useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { formatSkill } from './format-skill.ts';
import { radarPoints, toPolygon } from './radar.ts';

const SIZE = 200;
const CENTER = SIZE / 2;
const RADIUS = 92;
/** The outermost first, since the rings are filled. */
const RINGS = [100, 75, 50, 25];

/** The positions of the names around the drawing, clockwise from the top. Large text has no room there: a list below. */
const LABEL_POSITIONS = [
  'top-0 left-1/2 -translate-x-1/2 items-center text-center',
  'top-[17%] right-0 items-end text-right',
  'bottom-[17%] right-0 items-end text-right',
  'bottom-0 left-1/2 -translate-x-1/2 items-center text-center',
  'bottom-[17%] left-0 items-start text-left',
  'top-[17%] left-0 items-start text-left',
];

/** The radar; a tap on an axis shows how it is computed. */
export function SkillRadar({ axes }: { axes: Skill[] }) {
  const { t } = useTranslation('dashboard');
  const [selected_axis, setSelectedAxis] = useState<SkillAxis | null>(null);
  const shown = axes.find(({ axis }) => axis === selected_axis);
  return (
    <>
      <div className="@container">
        <div className="relative mx-auto w-full max-w-[380px] py-14 @max-[14rem]:py-0">
          <RadarDrawing values={axes.map(({ value }) => value)} />
          {axes.map(({ axis, value }, index) => (
            <button
              key={axis}
              type="button"
              aria-expanded={axis === selected_axis}
              onClick={() => setSelectedAxis(axis === selected_axis ? null : axis)}
              className={classes(
                'pressable absolute flex min-h-12 min-w-12 flex-col justify-center rounded-md px-1.5 leading-tight',
                LABEL_POSITIONS[index],
                '@max-[14rem]:static @max-[14rem]:w-full @max-[14rem]:translate-x-0 @max-[14rem]:flex-row @max-[14rem]:items-baseline @max-[14rem]:justify-between',
                axis === selected_axis && 'bg-accent-tint text-accent-ink',
              )}
            >
              <span className="figures text-xl font-extrabold">{value}</span>
              <span className={classes('text-caption font-semibold', axis !== selected_axis && 'text-ink-soft')}>
                {t(`skills.axis.${axis}`)}
              </span>
            </button>
          ))}
        </div>
      </div>
      <div aria-live="polite" className="min-h-12 text-center text-label text-ink-soft">
        {shown ? <Formula skill={shown} /> : <p>{t('skills.hint')}</p>}
      </div>
    </>
  );
}

function Formula({ skill: { axis, measured, anchor } }: { skill: Skill }) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  const figures = { measured: formatSkill(axis, measured, locale), anchor: formatSkill(axis, anchor, locale) };
  return <p className="mx-auto max-w-[40ch]">{t(`skills.formula.${axis}`, figures)}</p>;
}

function RadarDrawing({ values }: { values: number[] }) {
  const corners = radarPoints(values, CENTER, RADIUS);
  const full = values.map(() => 100);
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" className="mx-auto block w-[58%]">
      {RINGS.map((ring) => (
        <polygon
          key={ring}
          points={toPolygon(
            radarPoints(
              full.map(() => ring),
              CENTER,
              RADIUS,
            ),
          )}
          className={classes('stroke-line', ring === 100 ? 'fill-page' : 'fill-none')}
          strokeWidth={1}
        />
      ))}
      {radarPoints(full, CENTER, RADIUS).map(({ x, y }) => (
        <line key={`${x} ${y}`} x1={CENTER} y1={CENTER} x2={x} y2={y} className="stroke-line" strokeWidth={1} />
      ))}
      <polygon
        points={toPolygon(corners)}
        strokeWidth={3}
        strokeLinejoin="round"
        className="fill-gold/35 stroke-gold"
      />
      {corners.map(({ x, y }, index) => (
        // A corner's only identity is its index.
        <circle key={LABEL_POSITIONS[index]} cx={x} cy={y} r={4} className="fill-gold" />
      ))}
    </svg>
  );
}
