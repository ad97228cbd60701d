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
  // A device on which nobody is signed in ends at the door, whatever the address.
  const door = /^\/(login|register)\b/.test(location.pathname) || read('signed-in') === null;
  // Neither of the two stands for the way back from the provider, or for a kiosk.
  root.dataset.shell = /^\/(auth\/callback|kiosk)\b/.test(location.pathname) ? 'none' : door ? 'door' : 'app';
})();
