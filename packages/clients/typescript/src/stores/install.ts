/** Explains how to install an optional package, in a project or with `npx deal-signals`. */
export function installHint(name: string): string {
  return `npm install ${name}, or without a project: npx -p deal-signals -p ${name} deal-signals …`;
}
