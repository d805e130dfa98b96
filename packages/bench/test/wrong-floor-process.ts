import { serveFloor } from '../src/floors/http-floor.ts';

// A floor for `wrong-floor.scale.test.ts` that returns a wrong field, from the response on that the environment names.

const wrongFrom = Number(process.env['WRONG_FROM_RESPONSE']);
let responses = 0;

await serveFloor((_path, body) =>
  (responses += 1) >= wrongFrom ? body.replace('with the buying committee', 'with somebody') : body,
);
