import type { CenterStaff } from '@sendlap/contract/center-management/center-staff.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { ConfirmedButton } from '#web/shared/ui/controls/ConfirmedButton.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { InvitePanel } from './InvitePanel.tsx';
import { useRevokeReferee } from './queries.ts';

type Referee = CenterStaff['referees'][number];

interface RefereesCardProps {
  id: string;
  referees: Referee[];
  onInvited: () => void;
}

/** The people who confirm activities here with their phones. */
export function RefereesCard({ id, referees, onInvited }: RefereesCardProps) {
  const { t } = useTranslation('center-management');
  // The focus of a removed button.
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {t('referee.title')}
      </h2>
      <p className="text-ink-soft">{t('referee.text')}</p>
      <InvitePanel sport_center_id={id} kind="referee" count={referees.length} onInvited={onInvited} />
      {referees.length > 0 && (
        <ul className="flex flex-col gap-4">
          {referees.map((referee) => (
            <RefereeRow key={referee.public_id} id={id} referee={referee} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function RefereeRow({ id, referee }: { id: string; referee: Referee }) {
  const { t } = useTranslation(['center-management', 'shell']);
  const locale = useLocale();
  const revoke = useRevokeReferee(id);
  const { name, public_id, sport_types, valid_until } = referee;
  const until = valid_until && formatDateOf(valid_until, locale);
  return (
    <li className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi className="min-w-0 font-semibold wrap-anywhere">{name}</bdi>
        <span className="text-sm text-ink-faint">{public_id}</span>
        <span className="flex w-full flex-wrap items-center gap-2">
          {sport_types.map((sport) => (
            <Tag key={sport} tone={SPORT_LOOKS[sport].tone} icon={SPORT_LOOKS[sport].icon}>
              {t(`shell:sport.${sport}`)}
            </Tag>
          ))}
          {until && (
            <span className="text-sm text-ink-soft">{t('center-management:referee.until', { date: until })}</span>
          )}
        </span>
      </div>
      <ConfirmedButton
        label={t('center-management:referee.revoke', { name })}
        question={t('center-management:referee.revokeWhy', { name })}
        cancel={t('center-management:keep')}
        mutation={revoke}
        onConfirm={() => revoke.mutate(public_id)}
      />
    </li>
  );
}
