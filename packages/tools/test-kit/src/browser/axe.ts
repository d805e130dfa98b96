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

/** How often a page with faults is checked again before they count, and after how many frames each time. */
const LOOKS = 5;
const FRAMES = 15;

/**
 * Checks the accessibility of a page in its current state.
 *
 * Elements out of sight may get their colours by a transition when they are scrolled into view, which takes some frames even at
 * its shortest. So a page with faults is checked again, and only persistent faults count.
 *
 * axe-core is injected through the debugging protocol, because a page with a strict policy (`script-src 'self'`) blocks a script
 * element. The policy stays in force for everything that the page does itself.
 *
 * @param page its frames are not checked: pass each as a `page` of its own.
 * @param options.exceptAt selectors of elements to skip. State at the call what is wrong with them, and why it stays.
 * @returns a line for each fault: the rule, its requirement, the element, and what is wrong with it. Empty if there is none.
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
