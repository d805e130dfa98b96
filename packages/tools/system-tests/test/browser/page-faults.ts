import { axe } from '@deal-signals/test-kit/browser/axe';
import { screenshot, type TestPage } from '@deal-signals/test-kit/browser/open';

type Page = TestPage['page'];

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

/** Waits until everything has the place and the colour that it changes to. */
const settled = (page: Page) =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))).then(() =>
    Promise.allSettled(document.getAnimations().map(({ finished, effect }) =>
      effect.getTiming().iterations === Infinity ? null : finished)))`);

/**
 * Looks at a page as it is now: at 1280 pixels in both colour schemes for faults of accessibility, and at 390 pixels for what is
 * wider than the window. With the environment variable `PICTURES`, it also writes a picture of each, for people to look at.
 *
 * @param name of the page, in the faults and in the files.
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
    await settled(page);
    faults.push(...(await axe(page)).map((fault) => `${name} (${scheme}): ${fault}`));
    await picture(scheme);
  }
  await page.setViewportSize(NARROW);
  await settled(page);
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (excess > 0) faults.push(`${name}: ${excess} pixels wider than a window of ${NARROW.width}`);
  await picture('narrow');
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}
