import type { getCenterProofs } from '@sendlap/contract/sport-centers.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { shareOrCopy } from '#web/shared/device/share.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerClaimPath } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import type { StartCenter } from '../ops/activity-ops.ts';
import { useCenterProofs } from './center-proofs.ts';

interface ProofMethodsProps {
  center: StartCenter;
  /** The center: its managers and operators are not told to ask it. */
  can_manage?: boolean;
}

/**
 * Who can confirm an activity at a center, and the worth of each proof. Without a referee and a kiosk: what friends can
 * do today, and who can add more.
 */
export function ProofMethods({ center, can_manage = false }: ProofMethodsProps) {
  const { t } = useTranslation('proofs');
  const { data, outdated_at, isLoading } = useCenterProofs(center.id);
  const [is_open, setOpen] = useState(false);
  const is_alone = data && !data.has_kiosk && data.referee_sports.length === 0;
  const has_all = data?.has_kiosk && center.sports.every((sport) => data.referee_sports.includes(sport));
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('ways.title')}</h2>
      {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
      {isLoading && !data ? (
        <Loading className="mt-3">
          <Skeleton className="h-48 rounded-lg" />
        </Loading>
      ) : (
        <ul className="mt-3 flex flex-col gap-4">
          {is_alone ? (
            <>
              <MethodRow icon="user" title={t('ways.today')} text={t('ways.todayText')} />
              <MethodRow icon="shield" title={t('ways.more')} text={t('ways.moreText')} />
            </>
          ) : (
            <AllMethods sports={center.sports} proofs={data} />
          )}
        </ul>
      )}
      {!has_all && !can_manage && (
        <Button kind="secondary" size="sm" wide className="mt-4" onClick={() => setOpen(true)}>
          {t('ways.ask')}
        </Button>
      )}
      <Sheet open={is_open} onOpenChange={setOpen} title={t('ways.askTitle')} description={t('ways.askText')}>
        <CenterRequestMessage id={center.id} name={center.name} />
      </Sheet>
    </Card>
  );
}

interface AllMethodsProps {
  /** The sports of the center. */
  sports: readonly Sport[];
  /** undefined: the server can't be reached. */
  proofs: Reply<typeof getCenterProofs> | undefined;
}

/** Referee, kiosk and friends; the first two may be missing or not known. */
function AllMethods({ sports, proofs }: AllMethodsProps) {
  const { t } = useTranslation(['proofs', 'shell']);
  const refereed = sports.filter((sport) => proofs?.referee_sports.includes(sport));
  const [only] = refereed.length < sports.length ? refereed : [];
  const stateOf = (exists: boolean): MethodState => (proofs ? (exists ? 'here' : 'missing') : 'unknown');
  return (
    <>
      <MethodRow
        icon="shield"
        state={stateOf(refereed.length > 0)}
        title={t('ways.referee')}
        text={only ? t('ways.refereeOnly', { sport: t(`shell:sport.${only}`) }) : t('ways.refereeText')}
      />
      <MethodRow
        icon="qr"
        state={stateOf(proofs?.has_kiosk === true)}
        title={t('ways.kiosk')}
        text={t('ways.kioskText')}
      />
      <MethodRow icon="user" title={t('ways.friend')} text={t('ways.friendText')} />
    </>
  );
}

type MethodState = 'here' | 'missing' | 'unknown';

interface MethodRowProps {
  icon: IconName;
  state?: MethodState;
  title: string;
  text: string;
}

function MethodRow({ icon, state = 'here', title, text }: MethodRowProps) {
  const { t } = useTranslation('proofs');
  const here = state === 'here';
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className={`grid size-10 shrink-0 place-items-center rounded-full ${here ? 'bg-accent-tint text-accent-ink' : 'bg-sunken text-ink-faint'}`}
      >
        <Icon name={icon} size={22} />
      </span>
      <div className="min-w-0">
        <p className={`font-medium ${here ? '' : 'text-ink-soft'}`}>{title}</p>
        <p className="text-label text-ink-soft">
          {state === 'missing' && <span className="font-medium">{t('ways.noneHere')}. </span>}
          {state === 'unknown' && <span className="font-medium">{t('ways.unknown')}. </span>}
          {text}
        </p>
      </div>
    </li>
  );
}

/** A message for the center's staff, to be shown or sent. */
function CenterRequestMessage({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('proofs');
  const claim_path = centerClaimPath(id);
  const message = t('ways.askMessage', { center: name, url: location.origin + claim_path });

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(message);
      toast({ title: t('ways.copied'), tone: 'success' });
    } catch {
      // Browsers have no clipboard over plain http: the message is on the screen to be copied by hand.
      toast({ title: t('ways.notCopied') });
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <blockquote className="rounded-lg bg-sunken p-4 text-lg wrap-anywhere select-text">{message}</blockquote>
      <Button icon="share" wide onClick={() => void shareOrCopy({ text: message }, copy)}>
        {t('ways.askShare')}
      </Button>
      <Link href={claim_path} className={buttonClasses('quiet', 'sm', true)}>
        {t('ways.askStaff')}
      </Link>
    </div>
  );
}
