// Builds the tests and runs them with node:test. They need no browser: what they test has no page in it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { generate } from '../build.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
generate();
// Within node_modules, so that nothing is left in the tree.
const built = mkdtempSync(join(root, 'node_modules/.tests-'));
try {
  const names = readdirSync(here).filter((name) => name.endsWith('_test.ts'));
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: names.map((name) => `test/${name}`),
    outdir: built,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: ['node18'],
    logLevel: 'warning',
  });
  const files = names.map((name) => join(built, name.replace(/\.ts$/, '.mjs')));
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...files], { stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(built, { recursive: true, force: true });
}
