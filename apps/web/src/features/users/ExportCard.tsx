import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH } from '@sendlap/contract/users.ts';
import { useEffect, useRef, useState } from 'react';
import { getStreamToken, handleRefusal, session } from '#web/shared/api/client.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { saveExport } from './save-export.ts';

const TOO_MANY_REQUESTS_STATUS = 429;

/** All of the user's data as a file, and the activities as a table. */
export function ExportCard() {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const [running, setRunning] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const download_abort = useRef<AbortController | null>(null);
  useEffect(() => () => download_abort.current?.abort(), []);

  const download = async (path: string) => {
    setRunning(path);
    setError(null);
    const controller = new AbortController();
    download_abort.current = controller;
    try {
      const base = import.meta.env.VITE_API_BASE ?? '';
      const deps = {
        fetch: (...args: Parameters<typeof fetch>) => fetch(...args),
        base,
        token: getStreamToken,
        handleRefusal,
      };
      const name = await saveExport(path, { ...deps, session, unmount_signal: controller.signal, save: saveFile });
      if (name !== null) toast({ title: t('account.exported'), description: name, tone: 'success' });
    } catch (problem) {
      setError(problem);
    } finally {
      setRunning(null);
    }
  };
  const problemText = () => {
    if (error instanceof ApiError && error.status === TOO_MANY_REQUESTS_STATUS) return t('account.exportTooMany');
    return `${t('account.exportFailed')} ${errorText(error)}`;
  };
  const buttonFor = (path: string, label: string) => (
    <NetworkButton
      kind="secondary"
      icon="download"
      wide
      busy={running === path}
      disabled={running !== null}
      onClick={() => void download(path)}
    >
      {running === path ? t('account.exporting') : label}
    </NetworkButton>
  );

  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-xl font-bold">{t('account.exportTitle')}</h2>
      <p className="text-ink-soft">{t('account.exportText')}</p>
      {error !== null && <Problem>{problemText()}</Problem>}
      {buttonFor(EXPORT_PATH, t('account.exportAll'))}
      {buttonFor(EXPORT_ACTIVITIES_PATH, t('account.exportActivities'))}
    </Card>
  );
}

const REVOKE_DELAY_MS = 60_000;

/** Saves a file to the browser's downloads. */
function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  // Browsers read the file a little later, some after a prompt.
  setTimeout(() => URL.revokeObjectURL(href), REVOKE_DELAY_MS);
}
