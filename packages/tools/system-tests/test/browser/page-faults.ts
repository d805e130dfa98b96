import { axe } from '@deal-signals/test-kit/browser/axe';
import { screenshot, type TestPage } from '@deal-signals/test-kit/browser/open';

type Page = TestPage['page'];

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

/** Waits until the animations of the page have ended. */
const untilAnimationsEnd = (page: Page) =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))).then(() =>
    Promise.allSettled(document.getAnimations().map(({ finished, effect }) =>
      effect.getTiming().iterations === Infinity ? null : finished)))`);

/**
 * Checks the current page: at 1280 pixels in both colour schemes for accessibility violations, and at 390 pixels for elements
 * wider than the window. With the environment variable `PICTURES`, it also saves a picture of each, for people to look at.
 *
 * @param name the name of the page, for the faults and the files.
 * @returns a line for each fault.
 */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  const picture = async (variant: string) => {
    if (process.env['PICTURES']) await screenshot(page, `tests/${name}-${variant}`);
  };
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
    await untilAnimationsEnd(page);
    faults.push(...(await axe(page)).map((fault) => `${name} (${scheme}): ${fault}`));
    await picture(scheme);
  }
  await page.setViewportSize(NARROW);
  await untilAnimationsEnd(page);
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (excess > 0) faults.push(`${name}: ${excess} pixels wider than a window of ${NARROW.width}`);
  await picture('narrow');
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}
