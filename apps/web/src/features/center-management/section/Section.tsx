import type { ReactNode } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';

interface SectionProps<Data> {
  title: string;
  /** What the section shows. */
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** A part of the page with its own data: while it is loaded, when that fails, and with it. */
export function Section<Data>({ title, query: { data, error, refetch }, children }: SectionProps<Data>) {
  const { t } = useTranslation('shell');
  const errorText = useErrorText();
  // The focus of a removed button or form.
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  return (
    <Card as="section" className="flex scroll-mt-20 scroll-mb-24 flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {title}
      </h2>
      {data === undefined && error && (
        <>
          <Problem>{errorText(error)}</Problem>
          <NetworkButton kind="secondary" size="sm" wide onClick={() => void refetch()}>
            {t('retry')}
          </NetworkButton>
        </>
      )}
      {data === undefined && !error && (
        <Loading>
          <Skeleton className="h-24 rounded-md" />
        </Loading>
      )}
      {data !== undefined && children(data)}
    </Card>
  );
}
