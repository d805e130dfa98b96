/** How to install an optional package: in a project, or for `npx deal-signals` without one. */
export function howToInstall(name: string): string {
  return `npm install ${name}, or without a project: npx -p deal-signals -p ${name} deal-signals …`;
}
