// Builds dist/: generates the messages from proto/, bundles page and worker, gathers the licences.
//
//   node build.mjs [--out FOLDER]   one build
//   node build.mjs --watch          builds again at each change
//
// Needs protoc. File names are fixed and nothing in the output depends on the machine, so that a test can build again
// and compare byte for byte.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const proto = resolve(here, '../../proto');
const gen = join(here, 'gen');
const flags = process.argv.slice(2);
const dist = flags[0] === '--out' ? resolve(flags[1]) : join(here, 'dist');

// Packages whose code is in the bundles, with the licence of each.
const bundled = ['preact', '@preact/signals', '@preact/signals-core', '@bufbuild/protobuf', 'uplot'];

// Writes the TypeScript of every message and service into gen/.
export function generate() {
  rmSync(gen, { recursive: true, force: true });
  mkdirSync(gen, { recursive: true });
  const of = (folder) =>
    readdirSync(join(proto, folder))
      .filter((name) => name.endsWith('.proto'))
      .sort()
      .map((name) => `${folder}/${name}`);
  const plugin = join(here, 'node_modules/.bin/protoc-gen-es');
  execFileSync('protoc', [
    `--plugin=protoc-gen-es=${plugin}`,
    `--proto_path=${proto}`,
    `--es_out=${gen}`,
    '--es_opt=target=ts',
    ...of('repath/v1'),
    ...of('google/rpc'),
  ]);
}

// The licence text of each bundled package, one after the other.
function licences() {
  return bundled
    .map((name) => {
      const folder = join(here, 'node_modules', name);
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? readFileSync(join(folder, file), 'utf8') : readFileSync(join(here, 'licences', `${name.split('/').pop()}.txt`), 'utf8');
      return `${name} ${version}\n\n${text.trim()}\n`;
    })
    .join('\n----\n\n');
}

const options = {
  absWorkingDir: here,
  entryPoints: { app: 'src/app.tsx', raster: 'src/raster/worker.ts' },
  outdir: dist,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  generate();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const name of ['index.html', 'icon.svg']) cpSync(join(here, 'src', name), join(dist, name));
  writeFileSync(join(dist, 'licences.txt'), licences());
  if (flags[0] === '--watch') await (await esbuild.context(options)).watch();
  else await esbuild.build(options);
}
