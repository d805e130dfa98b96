import { axe } from '@deal-signals/test-kit/browser/axe';
import { screenshot, type TestPage } from '@deal-signals/test-kit/browser/open';

type Page = TestPage['page'];

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

/** Waits until layout and transitions have ended. */
const untilStable = (page: Page) =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))).then(() =>
    Promise.allSettled(document.getAnimations().map(({ finished, effect }) =>
      effect.getTiming().iterations === Infinity ? null : finished)))`);

/**
 * Checks a page in its current state: accessibility at 1280 pixels in both colour schemes, and content wider than the window at
 * 390 pixels. With the environment variable `PICTURES`, it also writes a screenshot of each for people to look at.
 *
 * @param name the name of the page in the faults and the files.
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
    await untilStable(page);
    faults.push(...(await axe(page)).map((fault) => `${name} (${scheme}): ${fault}`));
    await picture(scheme);
  }
  await page.setViewportSize(NARROW);
  await untilStable(page);
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (excess > 0) faults.push(`${name}: ${excess} pixels wider than a window of ${NARROW.width}`);
  await picture('narrow');
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}
