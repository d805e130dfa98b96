// In the POSIX locale, Chromium reports its language as "en-US@posix". That is not a valid language tag, and uPlot, which formats
// numbers in the language of the browser on load, would fail. This module must be imported before it.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
