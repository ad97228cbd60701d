import { useEffect, useState } from 'react';
import { listFormat } from '#web/shared/i18n/formats.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { UnsentCounts } from '#web/shared/outbox/store/records.ts';
import { Notice } from './Notice.tsx';

const KINDS = ['activities', 'proofs', 'messages'] as const;

/** Tells a user who lost the session that unsent data on this device is kept, and how to get it sent. */
export function UnsentNotice() {
  const { t } = useTranslation('auth');
  const language = useLanguage();
  const [unsent, setUnsent] = useState<UnsentCounts | null>(null);

  // If the count can't be read, show nothing: signing in helps anyway.
  useEffect(() => {
    import('#web/shared/outbox/store/count-unsent.ts')
      .then(({ countUnsent }) => countUnsent())
      .then(setUnsent, () => {});
  }, []);

  const kinds = KINDS.filter((kind) => unsent && unsent[kind] > 0);
  if (!unsent || kinds.length === 0) return null;
  const list = listFormat(language).format(kinds.map((kind) => t(`waiting.${kind}`, { count: unsent[kind] })));
  return <Notice icon="sync">{t('waiting.text', { list })}</Notice>;
}
