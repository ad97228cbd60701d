import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { NavigationIcon, navigationItemClasses } from '#web/shared/ui/controls/NavigationItem.tsx';
import { ROUTES } from '../router/router.tsx';
import { TABS } from '../router/tabs.ts';

interface NavigationProps {
  /** What the user does next, in the middle; null for a visitor, who records nothing. */
  action: ReactNode;
  /** Badge with the number of pending friend requests. */
  requests: ReactNode;
  /** The chat button of the side rail; null where the title bar has it, and for a visitor. */
  chat: ReactNode;
}

const MIDDLE = TABS.length / 2;
const ITEM = 'min-w-0 flex-1';

/** Bottom bar on a phone, side rail from 900 px on. */
export function Navigation({ action, requests, chat }: NavigationProps) {
  const { t } = useTranslation('shell');
  const [path] = useLocation();
  const renderTab = (tab: (typeof TABS)[number]) => {
    const is_current = path === tab.path || path.startsWith(`${tab.path}/`);
    return (
      <li key={tab.path} className={ITEM}>
        <Link
          href={tab.path}
          data-tour={tab.name}
          aria-current={is_current ? 'page' : undefined}
          onPointerEnter={() => preload(tab.path)}
          onFocus={() => preload(tab.path)}
          className={navigationItemClasses(is_current)}
        >
          <NavigationIcon name={tab.icon} is_current={is_current} />
          {t(`nav.${tab.name}`)}
          {tab.path === PATHS.profile && requests}
        </Link>
      </li>
    );
  };
  return (
    <nav
      aria-label={t('nav.label')}
      className="vt-nav fixed inset-x-0 bottom-0 z-20 bg-surface/95 pb-safe shadow-low backdrop-blur-md wide:relative wide:inset-auto wide:w-60 wide:shrink-0"
    >
      <div className="wide:sticky wide:top-0 wide:p-4">
        <div className="hidden items-center gap-2.5 px-3 pt-2 pb-6 wide:flex">
          <BrandMark size={32} />
          <span className="text-xl font-bold tracking-tight">Sendlap</span>
        </div>
        <ul className="mx-auto flex max-w-[560px] wide:flex-col wide:gap-1">
          {TABS.slice(0, MIDDLE).map(renderTab)}
          {action && <li className={ITEM}>{action}</li>}
          {TABS.slice(MIDDLE).map(renderTab)}
          {chat && <li className={ITEM}>{chat}</li>}
        </ul>
      </div>
    </nav>
  );
}

/** Preloads a screen's code when the pointer comes near its link. */
function preload(path: string): void {
  void ROUTES.find((route) => route.path === path)?.page.preload();
}
