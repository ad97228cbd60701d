import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button, type ButtonKind } from '#web/shared/ui/controls/Button.tsx';

interface RunningControlsProps {
  /** The kind of the button that the athlete needs next. */
  tone: ButtonKind;
  is_paused: boolean;
  finishing: boolean;
  onTogglePause: () => void;
  onFinish: () => void;
}

const BUTTON_CLASSES = 'min-h-20 low:min-h-18 grow basis-[8rem] flex-col gap-1! px-2!';

/** Pause or resume, and finish: each stays in its place, so that a wet thumb finds it without a look. */
export function RunningControls({ tone, is_paused, finishing, onTogglePause, onFinish }: RunningControlsProps) {
  const { t } = useTranslation('activities');
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        kind={is_paused ? tone : 'secondary'}
        size="lg"
        icon={is_paused ? 'play' : 'pause'}
        onClick={onTogglePause}
        className={BUTTON_CLASSES}
      >
        {t(is_paused ? 'running.resume' : 'running.pause')}
      </Button>
      <Button
        kind={is_paused ? 'secondary' : tone}
        size="lg"
        icon="stop"
        busy={finishing}
        onClick={onFinish}
        className={BUTTON_CLASSES}
      >
        {t('running.finish')}
      </Button>
    </div>
  );
}
