import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from './build/app.ts';
import { checkBudget } from './build/budget.ts';
import { compressFiles } from './build/compress.ts';
import { checkDemoUser } from './build/demo-user.ts';
import { checkInline } from './build/inline.ts';

const dist = join(import.meta.dirname, 'dist');

const precached = await buildApp(dist);

// What no build may hold, what the server sends compressed, and what all that weighs.
checkInline(join(dist, 'index.html'));
checkDemoUser(dist);
compressFiles(dist);
const over = checkBudget(dist, precached);
rmSync(join(dist, '.vite'), { recursive: true });
process.exitCode = over ? 1 : 0;
