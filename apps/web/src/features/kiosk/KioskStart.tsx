import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';

/** The kiosk's screen until its code and its data on this tablet are there: a slow tablet takes seconds. */
export function KioskStart() {
  return (
    <Loading className="grid min-h-dvh place-items-center">
      <BrandMark size={96} />
    </Loading>
  );
}
