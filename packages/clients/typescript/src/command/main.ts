#!/usr/bin/env node
import { runCommand } from './run-command.ts';
import { processSurroundings } from './surroundings.ts';

process.exitCode = await runCommand(process.argv.slice(2), processSurroundings());
