import { source } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** WCAG 2.2 at levels A and AA, and best practices, such as landmarks and the order of headings. */
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

/** How many checks a page with violations gets before they count, and the number of frames between two checks. */
const MAX_CHECKS = 5;
const FRAMES = 15;

/**
 * Checks the current state of a page for accessibility violations.
 * An off-screen element may get its colours only when it is scrolled into view, by a transition that lasts for some frames
 * even at its shortest. A page with violations is therefore checked again, and only the violations that remain count.
 *
 * axe-core is injected by the debugging protocol rather than by a script element, because a page with a strict policy
 * (`script-src 'self'`) rejects such an element. The policy stays in force for everything that the page does itself.
 *
 *
 * @param page the page or frame to check. Frames in it are not checked: pass each of them separately.
 * @param options.exceptAt selectors of elements to skip. State at the call what is wrong with them and why it stays.
 * @returns a line for each violation: the rule, its description, the element, and the reason. Empty if there are none.
 */
export async function axe(
  page: Page | Frame,
  { exceptAt = [] }: { exceptAt?: readonly string[] } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const violations = await page.evaluate(
    async ({ tags, exclude, maxChecks, pauseFrames }) => {
      const inPage = globalThis as unknown as { axe: Axe };
      const check = async () => {
        const options = {
          runOnly: { type: 'tag', values: tags },
          resultTypes: ['violations'],
          iframes: false,
        };
        return (await inPage.axe.run({ exclude }, options)).violations;
      };
      for (let checks = 1; ; checks += 1) {
        const found = await check();
        if (found.length === 0 || checks === maxChecks) return found;
        for (let frame = 0; frame < pauseFrames; frame += 1) await new Promise(requestAnimationFrame);
      }
    },
    { tags: TAGS, exclude: exceptAt, maxChecks: MAX_CHECKS, pauseFrames: FRAMES },
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
