// Runs before the first paint, so that theme, language and the shape of the prerendered shell are right from the start.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const languages = [read('preferred-language') ?? '', ...navigator.languages].map((locale) => locale.split('-')[0]);
  if (languages.find((language) => /^(en|es)$/i.test(language))?.toLowerCase() === 'es') root.lang = 'es';
  // boot.test.ts compares these paths with those of paths.ts.
  const is = (paths) => paths.test(location.pathname);
  // Without a signed-in user, every address of the app leads to the sign-in page.
  const shows_sign_in = is(/^\/(login|register)\b/) || read('signed-in') === null;
  // The page that ends a sign-in and the kiosk look like neither shell.
  root.dataset.shell = is(/^\/(auth\/callback|kiosk)\b/) ? 'none' : shows_sign_in ? 'sign-in' : 'app';
})();
