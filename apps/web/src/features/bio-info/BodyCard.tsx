import { type BioInfoValues, BODY_FIELDS } from '@sendlap/domain/bio-info/bio-info-form.ts';
import { useState } from 'react';
import { isExpired } from '#web/shared/copies/choose-shown.ts';
import { useIsSlow } from '#web/shared/copies/use-shown.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { BodyEditor, useBioInfoText } from './BodyEditor.tsx';
import { bioInfoFlow, useBioInfo } from './bio-info-client.ts';
import type { BioInfoFlowState } from './bio-info-flow.ts';
import { maleTextKey, useBodyValueText } from './format-body.ts';

/** Shows body data; the user can edit or delete it. */
export function BodyCard() {
  const { t } = useTranslation('users');
  const bio = useBioInfo(true);
  const [editing, setEditing] = useState(false);
  const is_loaded = bio.bio_info !== null || bio.check === 'first_time';
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-xl font-bold">{t('body.title')}</h2>
      <BodyContent bio={bio} />
      {is_loaded && (
        <NetworkButton
          kind="secondary"
          size="sm"
          icon={bio.bio_info ? 'edit' : 'plus'}
          className="self-start"
          onClick={() => setEditing(true)}
        >
          {t(bio.bio_info ? 'body.edit' : 'body.add')}
        </NetworkButton>
      )}
      <BodySheet open={editing} onClose={() => setEditing(false)} />
    </Card>
  );
}

function BodyContent({ bio }: { bio: BioInfoFlowState }) {
  const { t } = useTranslation('users');
  const online = useOnline();
  const is_slow = useIsSlow(bio.check === 'loading');
  const { bio_info, cached_at, check_error } = bio;
  const is_stale = !online || is_slow || check_error !== null;
  if (bio_info && (cached_at === null || is_stale || !isExpired(cached_at, Date.now()))) {
    return (
      <>
        {cached_at !== null && is_stale && <OfflineAge cached_at={cached_at} />}
        <BodyFigures values={bio_info} />
        <p className="text-sm text-ink-faint">{t('body.why')}</p>
      </>
    );
  }
  if (!online && (is_slow || bio.check === 'error')) return <p className="text-ink-soft">{t('body.notHere')}</p>;
  if (bio.check === 'error') return <CheckFailed error={check_error} />;
  if (bio.check === 'first_time') {
    return (
      <p className="text-ink-soft">
        {t('body.none')} {t('body.why')}
      </p>
    );
  }
  return <BodySkeleton />;
}

function CheckFailed({ error }: { error: unknown }) {
  const { t } = useTranslation(['users', 'shell']);
  const errorText = useErrorText();
  return (
    <div role="alert">
      <p className="font-semibold">{t('users:body.problem.checkFailed')}</p>
      <p className="text-ink-soft">{errorText(error instanceof Error ? error.cause : error)}</p>
      <Button kind="secondary" size="sm" icon="sync" className="mt-3" onClick={() => void bioInfoFlow.check()}>
        {t('shell:retry')}
      </Button>
    </div>
  );
}

/** The shape of the loaded card: four figures, the reason, the button. */
function BodySkeleton() {
  return (
    <Loading className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-x-4 gap-y-3">
        <Skeleton className="h-12 w-24" />
        <Skeleton className="h-12 w-20" />
        <Skeleton className="h-12 w-20" />
        <Skeleton className="h-12 w-24" />
      </div>
      <Skeleton className="h-15" />
      <Skeleton className="h-12 w-28" />
    </Loading>
  );
}

/** Body data, read-only. */
function BodyFigures({ values }: { values: BioInfoValues }) {
  const { t } = useTranslation('users');
  const bodyValueText = useBodyValueText();
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
      {BODY_FIELDS.map((field) => (
        <Figure key={field} label={t(`body.${field}`)} text={bodyValueText(field, values[field])} />
      ))}
      <Figure label={t('body.male')} text={t(maleTextKey(values.male))} />
    </dl>
  );
}

function Figure({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-faint">{label}</dt>
      <dd className="figures text-xl font-semibold">{text}</dd>
    </div>
  );
}

/** Edits body data, or deletes it after a confirmation. */
function BodySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('users');
  const bio = useBioInfo();
  const [deleting, setDeleting] = useState(false);
  const close = () => {
    bioInfoFlow.acknowledgeWrite();
    setDeleting(false);
    onClose();
  };
  const askToDelete = () => {
    bioInfoFlow.acknowledgeWrite();
    setDeleting(true);
  };
  return (
    <Sheet
      open={open}
      onOpenChange={close}
      title={t(deleting ? 'body.deleteTitle' : 'body.editTitle')}
      {...(deleting ? { description: t('body.deleteText') } : {})}
    >
      {deleting ? (
        <DeleteConfirmation onDone={close} onCancel={() => setDeleting(false)} />
      ) : (
        <BodyEditor onDone={close}>
          {bio.bio_info && (
            <Button wide kind="quiet" icon="trash" disabled={bio.write === 'saving'} onClick={askToDelete}>
              {t('body.delete')}
            </Button>
          )}
        </BodyEditor>
      )}
    </Sheet>
  );
}

function DeleteConfirmation({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { t } = useTranslation(['users', 'shell']);
  const bioInfoText = useBioInfoText();
  const bio = useBioInfo();
  const busy = bio.write === 'saving';
  const remove = async () => {
    await bioInfoFlow.remove();
    if (bioInfoFlow.getState().write !== 'saved') return;
    toast({ title: t('users:body.deleted'), tone: 'success' });
    onDone();
  };
  return (
    <div className="flex flex-col gap-2 pt-1">
      {bio.write === 'failed' && <Problem>{bioInfoText(bio.write_error)}</Problem>}
      <NetworkButton wide kind="danger" icon="trash" busy={busy} onClick={() => void remove()}>
        {t('users:body.delete')}
      </NetworkButton>
      <Button wide kind="quiet" disabled={busy} onClick={onCancel}>
        {t('shell:cancel')}
      </Button>
    </div>
  );
}
