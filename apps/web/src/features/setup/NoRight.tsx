import type { Ref } from 'react';
import { useLocation } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';

/** Prints another set-up address. */
const INVITE_COMMAND = 'npm run sendlap -- operators invite';

interface NoRightProps {
  heading?: Ref<HTMLHeadingElement>;
  title: string;
  text: string;
}

/** Why this account cannot set up the server, and how another set-up address is made. */
export function NoRight({ heading, title, text }: NoRightProps) {
  const { t } = useTranslation('setup');
  const [, navigate] = useLocation();
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {title}
      </h2>
      <p>{text}</p>
      <code className="rounded-md bg-sunken px-3 py-2.5 text-label wrap-anywhere select-all">{INVITE_COMMAND}</code>
      <Button wide onClick={() => navigate(PATHS.dashboard)}>
        {t('finish')}
      </Button>
    </Card>
  );
}
