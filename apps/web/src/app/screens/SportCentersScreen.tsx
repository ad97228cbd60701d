import { lazy, Suspense } from 'react';
import { SportCentersPage } from '#web/features/sport-centers/SportCentersPage.tsx';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';

const SaveCityButton = lazy(async () => {
  const [module] = await Promise.all([import('#web/features/offline/SaveCityButton.tsx'), loadNamespaces(['offline'])]);
  return { default: module.SaveCityButton };
});

/** The centers, with the way to keep what is shown for times without network. */
export function SportCentersScreen() {
  return (
    <SportCentersPage
      renderAreaAction={(area) => (
        <Suspense fallback={null}>
          <SaveCityButton place={area} />
        </Suspense>
      )}
    />
  );
}
