// Runs parts of the Zapier app with Zapier's own tester, in a process without Jest. The argument is the folder of the app.
import { createRequire } from 'node:module';
import path from 'node:path';

const folder = process.argv[2] ?? '';
const require = createRequire(path.join(folder, 'package.json'));
const { createAppTester } = require('zapier-platform-core');
const { validateAppDefinition } = require('zapier-platform-schema');
const { default: app } = await import(path.join(folder, 'dist/app.js'));

const appTester = createAppTester(app);
const valueAt = (part) => part.split('.').reduce((value, name) => value[name], app);
const withoutFunctions = (_name, value) => (typeof value === 'function' ? '$func$2$f$' : value);

const COMMANDS = {
  /** Returns the errors that Zapier's schema reports for the app. */
  validate: () => validateAppDefinition(JSON.parse(JSON.stringify(app, withoutFunctions))).errors.map(String),
  /** Returns a value of the app. */
  value: valueAt,
  /** Returns the result of a part of the app for a bundle. */
  run: (part, bundle) => appTester(valueAt(part), bundle),
};

process.on('message', ({ id, command, args }) => {
  Promise.try ??= (run) => new Promise((resolve) => resolve(run()));
  Promise.try(() => COMMANDS[command](...args)).then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, error: String(error) }),
  );
});
process.send({ id: 'ready' });
