import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';

export function NotFoundPage() {
  const { t } = useTranslation('shell');
  return (
    <main className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <title>{`${t('notFound.title')} · Sendlap`}</title>
      <BrandMark size={88} className="mb-2 text-ink" />
      <h1 className="text-title font-bold tracking-tight">{t('notFound.title')}</h1>
      <p className="max-w-[34ch] text-body text-ink-soft">{t('notFound.text')}</p>
      <Link href={PATHS.root} replace className={`mt-4 ${buttonClasses('secondary', 'md')}`}>
        {t('error.dashboard')}
      </Link>
    </main>
  );
}
