import { Toast } from '@base-ui/react/toast';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';
import { reserveRoom } from '../reserve-room.ts';
import { type ToastTone, toasts } from './toast.ts';

const ICONS: Record<ToastTone, IconName | null> = { plain: null, success: 'check', error: 'warning' };

const reserveToastRoom = reserveRoom('--toast-room');

/**
 * Shows the toasts of `toast` above the navigation, where the page makes room for them; over an open sheet or chat, at
 * the top. Rendered once, in the signed-in layout.
 */
export function ToastRegion() {
  return (
    <Toast.Provider toastManager={toasts} limit={2}>
      <Toast.Portal>
        <Toast.Viewport className="toast-place fixed z-30 inset-x-3 mx-auto max-w-[440px] outline-none wide:right-6 wide:left-auto wide:w-[400px]">
          <div ref={reserveToastRoom} className="flow-root">
            <ToastList />
          </div>
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager<{ tone: ToastTone }>();
  return shown.map((entry) => <ToastCard key={entry.id} toast={entry} tone={entry.data?.tone ?? 'plain'} />);
}

function ToastCard({ toast, tone }: { toast: Toast.Root.ToastObject; tone: ToastTone }) {
  const { t } = useTranslation('shell');
  const icon = ICONS[tone];
  return (
    <Toast.Root
      toast={toast}
      swipeDirection={['down', 'right']}
      className="mt-2 rounded-lg bg-ink text-page shadow-high transition duration-200 ease-out data-ending-style:translate-y-3 data-ending-style:opacity-0 data-limited:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-4">
        {icon && <Icon name={icon} size={22} className="shrink-0" />}
        {/* Large text has the width for itself, with the action below. */}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
          <div className="min-w-0 flex-[1_1_4.5rem] wrap-anywhere">
            <Toast.Title className="text-label font-semibold" />
            <Toast.Description className="text-sm opacity-85" />
          </div>
          {toast.actionProps && (
            <Toast.Action className="pressable ml-auto min-h-12 rounded-md px-3 font-semibold underline underline-offset-4" />
          )}
        </div>
        <Toast.Close
          aria-label={t('close')}
          className="pressable grid size-12 shrink-0 place-items-center rounded-full"
        >
          <Icon name="x" size={20} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  );
}
