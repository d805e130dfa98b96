import { source } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** WCAG 2.2 at levels A and AA, and good practice, such as landmarks and the order of headings. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The part of axe-core that runs in the page. */
interface Axe {
  run(context: object, options: object): Promise<{ violations: Violation[] }>;
}

interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** How often a page with faults is looked at before they count, and how many frames later each time. */
const LOOKS = 5;
const FRAMES = 15;

/**
 * Looks for faults of accessibility in a page as it is now.
 *
 * What is out of sight may get its colours only when it is looked at, by a transition, which even at its shortest lasts for some
 * frames. So a page that seems to have faults is looked at again, and only what stays counts.
 *
 * axe-core is brought in by the debugging protocol rather than by a script element, because a page with a strict policy
 * (`script-src 'self'`) refuses such an element. The policy stays in force for everything that the page does itself.
 *
 * @param page the frames in it are not looked at: give each as a `page` of its own.
 * @param options.exceptAt selectors of elements that are not looked at. Say at the call what is wrong with them, and why it stays.
 * @returns a line for each fault: the rule, what it wants, the element, and what is wrong with it. Empty when all is well.
 */
export async function axe(
  page: Page | Frame,
  { exceptAt = [] }: { exceptAt?: readonly string[] } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const violations = await page.evaluate(
    async ({ tags, exclude, mostLooks, pauseFrames }) => {
      const inPage = globalThis as unknown as { axe: Axe };
      const look = async () => {
        const options = {
          runOnly: { type: 'tag', values: tags },
          resultTypes: ['violations'],
          iframes: false,
        };
        return (await inPage.axe.run({ exclude }, options)).violations;
      };
      for (let looks = 1; ; looks += 1) {
        const found = await look();
        if (found.length === 0 || looks === mostLooks) return found;
        for (let frame = 0; frame < pauseFrames; frame += 1) await new Promise(requestAnimationFrame);
      }
    },
    { tags: TAGS, exclude: exceptAt, mostLooks: LOOKS, pauseFrames: FRAMES },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      // The first line of a summary is "Fix any of the following:".
      const reasons = failureSummary
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
      return `${id}: ${help}: ${target.join(' ')} (${reasons.join('; ')})`;
    }),
  );
}
