// In the POSIX locale, Chromium reports the language "en-US@posix", which is not a valid tag. uPlot formats numbers in the
// language of the browser as soon as it is loaded, and would fail. This module must be imported before it.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
