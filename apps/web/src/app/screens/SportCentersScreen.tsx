import type { ComponentProps } from 'react';
import type { LoadableArea } from '#web/features/area-loads/LoadAreaButton.tsx';
import { SportCentersPage } from '#web/features/sport-centers/SportCentersPage.tsx';
import { useSession } from '#web/shared/api/use-session.ts';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';

type SaveCityButtonComponent = typeof import('#web/features/offline/SaveCityButton.tsx').SaveCityButton;

const SaveCityButton = lazyPart<ComponentProps<SaveCityButtonComponent>>(
  () => import('#web/features/offline/SaveCityButton.tsx').then((m) => m.SaveCityButton),
  ['offline'],
);
const LoadAreaButton = lazyPart<{ area: LoadableArea }>(
  () => import('#web/features/area-loads/LoadAreaButton.tsx').then((m) => m.LoadAreaButton),
  ['area-loads'],
);

/** The centers, with the buttons to save the shown area for offline use and, signed in, to load its centers. */
export function SportCentersScreen() {
  const { user } = useSession();
  return (
    <SportCentersPage
      renderAreaAction={(area) => <SaveCityButton area={area} />}
      {...(user && { renderLoadAction: (area) => <LoadAreaButton key={area.id} area={area} /> })}
    />
  );
}
