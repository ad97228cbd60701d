import { MAX_REPORT_TEXT_LENGTH, ReportReason } from '@sendlap/contract/reports.ts';
import { countCodePoints } from '@sendlap/domain/messages.ts';
import { type FormEvent, useId, useState } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Switch } from '#web/shared/ui/controls/Switch.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Failure } from './ConfirmStep.tsx';
import { createReportIds, useBlockUser, useReportUser } from './people/queries.ts';

interface ReportFormProps {
  name: string;
  user_id: string;
  onDone: () => void;
  /** Called instead of `onDone` if the user was blocked as well. */
  onBlocked: () => void;
}

/** Reports a user to the operator, and blocks the user if chosen. */
export function ReportForm({ name, user_id, onDone, onBlocked }: ReportFormProps) {
  const { t } = useTranslation('friends');
  const user = useUser();
  const [reportIdFor] = useState(() => createReportIds(() => crypto.randomUUID()));
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [text, setText] = useState('');
  const [also_block, setAlsoBlock] = useState(false);
  const report = useReportUser(user.id);
  const block = useBlockUser(user.id);
  const over = countCodePoints(text.trim()) - MAX_REPORT_TEXT_LENGTH;

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (reason === null || over > 0) return;
    try {
      const report_body = { user_id, reason, text: text.trim() };
      await report.mutateAsync({ client_id: reportIdFor(JSON.stringify(report_body)), ...report_body });
      if (also_block) await block.mutateAsync(user_id);
    } catch {
      return; // The form shows the error and can be sent again.
    }
    toast({
      title: t('done.reported'),
      ...(also_block ? { description: t('done.blocked', { name }) } : {}),
      tone: 'success',
    });
    if (also_block) onBlocked();
    else onDone();
  }

  return (
    <form className="flex flex-col gap-5 pt-1" onSubmit={(event) => void send(event)}>
      <Reasons reason={reason} onChange={setReason} />
      <ReportText text={text} over={over} onChange={setText} />
      <Switch label={t('report.block', { name })} checked={also_block} onChange={setAlsoBlock} />
      {report.error && <Failure title={t('failed.report')} error={report.error} />}
      {block.error && <Failure title={t('failed.block')} error={block.error} />}
      <NetworkButton
        type="submit"
        wide
        disabled={reason === null || over > 0}
        busy={report.isPending || block.isPending}
      >
        {t('report.action')}
      </NetworkButton>
    </form>
  );
}

function Reasons({ reason, onChange }: { reason: ReportReason | null; onChange: (reason: ReportReason) => void }) {
  const { t } = useTranslation('friends');
  return (
    <fieldset>
      <legend className="mb-2 text-label font-medium text-ink-soft">{t('report.reasonLabel')}</legend>
      <div className="flex flex-wrap gap-2.5">
        {ReportReason.options.map((option) => (
          <Chip
            key={option}
            selected={reason === option}
            className={classes(
              'max-w-full text-left whitespace-normal!',
              reason !== option && 'inset-ring-[1.5px] inset-ring-line',
            )}
            onClick={() => onChange(option)}
          >
            {t(`report.reason.${option}`)}
          </Chip>
        ))}
      </div>
    </fieldset>
  );
}

interface ReportTextProps {
  text: string;
  /** The number of code points beyond the limit. */
  over: number;
  onChange: (text: string) => void;
}

function ReportText({ text, over, onChange }: ReportTextProps) {
  const { t } = useTranslation('friends');
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-label font-medium text-ink-soft">
        {t('report.what')}
      </label>
      <textarea
        id={id}
        rows={4}
        value={text}
        aria-invalid={over > 0 || undefined}
        aria-describedby={over > 0 ? `${id}-note` : undefined}
        onChange={({ target }) => onChange(target.value)}
        className="block w-full resize-y rounded-lg bg-sunken px-4 py-3 text-body outline-offset-0 focus:outline-3 focus:outline-accent"
      />
      {over > 0 && (
        <p id={`${id}-note`} role="alert" className="mt-1.5 text-sm text-danger-ink">
          {t('report.tooLong', { over, most: MAX_REPORT_TEXT_LENGTH })}
        </p>
      )}
    </div>
  );
}
