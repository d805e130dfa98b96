// In the POSIX locale, Chromium names its language "en-US@posix". No language has that form, and uPlot, which formats numbers
// in the language of the browser as soon as it is loaded, would fail. This module must be imported before it.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
