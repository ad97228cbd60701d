import type { ComponentProps } from 'react';
import { SportCentersPage } from '#web/features/sport-centers/SportCentersPage.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';

type SaveCityButtonComponent = typeof import('#web/features/offline/SaveCityButton.tsx').SaveCityButton;

const SaveCityButton = lazyPart<ComponentProps<SaveCityButtonComponent>>(
  () => import('#web/features/offline/SaveCityButton.tsx').then((m) => m.SaveCityButton),
  ['offline'],
);

/** The centers, with the button to save the shown area for offline use. */
export function SportCentersScreen() {
  return <SportCentersPage renderAreaAction={(area) => <SaveCityButton place={area} />} />;
}
