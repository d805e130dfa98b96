import { runCapture } from '@deal-signals/capture/command';
import { optionsOfParent, serveParent } from '../stack/child.ts';

// Captures files as `pnpm capture` does, in a process of its own whose memory can be read.

/** What the process needs to know. */
export interface CaptureFileOptions {
  databaseUrl: string;
}

/** A file to capture. */
export interface CaptureFile {
  file: string;
}

/** The exit code of the command. */
export interface CapturedFile {
  exitCode: number;
}

const { databaseUrl } = optionsOfParent() as CaptureFileOptions;

serveParent(async ({ file }: CaptureFile): Promise<CapturedFile> => ({
  exitCode: await runCapture(file, databaseUrl),
}));
