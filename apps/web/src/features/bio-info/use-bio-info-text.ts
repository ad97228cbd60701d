import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { BioInfoError } from './bio-info-errors.ts';

/** Words for what went wrong with body data: those of the spec, else what the error itself says. */
export function useBioInfoText(): (error: unknown) => string {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  return (error) => (error instanceof BioInfoError ? t(`body.problem.${error.problem}`) : errorText(error));
}
