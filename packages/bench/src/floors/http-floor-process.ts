import { serveFloor } from './http-floor.ts';

await serveFloor();
