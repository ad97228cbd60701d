import { VisitorLayout } from '#web/features/auth/VisitorLayout.tsx';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Shown to a visitor of a set-up address: first, the operator needs an account. */
export function SetupVisitorScreen() {
  const { t } = useTranslation('setup');
  return <VisitorLayout title={t('title')} tagline={t('visitor.title')} pitch={t('visitor.text')} />;
}
