import { TABS } from '../router/tabs.ts';

/** The empty frame of the signed-in app: title, cards, navigation bar. Without text, so it fits every language. */
export function ShellApp() {
  return (
    <div aria-busy="true" className="flex min-h-dvh flex-1 flex-col wide:flex-row-reverse">
      <div className="flex-1 px-safe pt-safe">
        <div className="mx-auto max-w-[1120px] pt-5">
          <div className="anim-shimmer h-9 w-40 rounded-md bg-sunken" />
          <div className="anim-shimmer mt-6 h-40 rounded-lg bg-sunken" />
          <div className="anim-shimmer mt-3 h-20 rounded-lg bg-sunken" />
          <div className="anim-shimmer mt-3 h-20 rounded-lg bg-sunken" />
        </div>
      </div>
      <div className="bg-surface pb-safe wide:w-60">
        <div className="flex h-(--nav-height) items-center justify-around wide:h-auto wide:flex-col wide:items-start wide:gap-6 wide:p-8">
          {/* The four tabs, and the action in their middle. */}
          {[...TABS.keys(), TABS.length].map((item) => (
            <div key={item} className="size-7 rounded-full bg-sunken" />
          ))}
        </div>
      </div>
    </div>
  );
}
