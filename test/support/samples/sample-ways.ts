import type { Sample } from './read-samples.ts';

/** The checks of samples by language and mark, with the files that run them. */
type SampleWay = { language: string; mark: string; how: string; by: string };

/** The mark of a sample that is a file of a client: its path. */
export const FILE = 'a path';

const HERE = 'test/program/documented-samples.test.ts';
const COMMANDS = 'test/program/documented-commands.test.ts';
const CLIENTS = 'scripts/clients/read-page.mjs';
const PAGES = 'test/program/client-pages.test.ts';

/**
 * Every sample needs a row. `npm run clients` also runs the files of clients that a clone has no compilers
 * for.
 */
export const sampleWays: readonly SampleWay[] = [
  { language: 'sh', mark: 'run', how: 'it runs in a clone', by: COMMANDS },
  { language: 'sh', mark: 'commands', how: 'its commands run against a server', by: HERE },
  { language: 'sh', mark: 'requests', how: 'its requests are sent to a server', by: HERE },
  {
    language: 'sh',
    mark: 'metered',
    how: 'its request is sent to a server',
    by: 'test/metered/documented-requests.test.ts',
  },
  { language: 'sh', mark: 'verify', how: 'it verifies a release', by: 'test/program/release-files.test.ts' },
  { language: 'sh', mark: 'site', how: 'the site is built and opened', by: 'test/dashboard/docs.test.ts' },
  {
    language: 'sh',
    mark: 'elsewhere',
    how: 'it needs other machines: its commands and flags exist',
    by: COMMANDS,
  },
  { language: 'sh', mark: 'install', how: 'npm run clients runs it', by: CLIENTS },
  { language: 'sh', mark: 'check', how: 'it runs, or npm run clients runs it', by: PAGES },
  { language: 'yaml', mark: 'config', how: 'a start accepts it as a configuration', by: HERE },
  { language: 'yaml', mark: 'price', how: 'a start accepts it as the price of a model', by: HERE },
  { language: 'yaml', mark: 'price-file', how: 'it is imported', by: HERE },
  {
    language: 'yaml',
    mark: 'prometheus',
    how: 'it is parsed, and npm run check:deploy reads it with promtool',
    by: HERE,
  },
  { language: 'yaml', mark: 'collector', how: 'its pipelines name its parts', by: HERE },
  { language: 'yaml', mark: FILE, how: 'it is parsed', by: PAGES },
  { language: 'json', mark: 'event', how: 'it has the members of an alert', by: HERE },
  { language: 'json', mark: 'message', how: 'the simulator answers it', by: HERE },
  { language: 'json', mark: 'parsed', how: 'it is parsed', by: HERE },
  { language: 'json', mark: FILE, how: 'npm run clients runs its client', by: PAGES },
  { language: 'toml', mark: FILE, how: 'npm run clients runs its client', by: PAGES },
  { language: 'xml', mark: FILE, how: 'npm run clients runs its client', by: CLIENTS },
  { language: 'js', mark: 'clients', how: 'it calls a server with the installed SDKs', by: HERE },
  { language: 'js', mark: 'socket', how: 'it opens a socket of a server', by: HERE },
  { language: 'js', mark: 'price-key', how: 'it signs a price file, which is then imported', by: HERE },
  {
    language: 'js',
    mark: 'signature',
    how: 'it verifies signatures',
    by: 'test/program/documented-signature.test.ts',
  },
  {
    language: 'js',
    mark: FILE,
    how: 'it calls a server with the installed SDKs, or npm run clients runs it',
    by: PAGES,
  },
  {
    language: 'python',
    mark: 'signature',
    how: 'it verifies signatures if Python is there',
    by: 'test/program/documented-signature.test.ts',
  },
  { language: 'python', mark: FILE, how: 'npm run clients runs it', by: CLIENTS },
  { language: 'go', mark: FILE, how: 'npm run clients runs it', by: CLIENTS },
  { language: 'rust', mark: FILE, how: 'npm run clients runs it', by: CLIENTS },
  { language: 'java', mark: FILE, how: 'npm run clients runs it', by: CLIENTS },
  { language: 'ts', mark: 'parsed', how: 'it is compiled', by: HERE },
  { language: 'sql', mark: 'postgres', how: 'a Postgres server runs it', by: HERE },
  { language: 'text', mark: 'output', how: 'the command prints its labels', by: HERE },
  { language: 'console', mark: 'start', how: 'a start prints its labels', by: HERE },
];

const markOf = ({ mark }: Sample): string => (/[./]/.test(mark) ? FILE : mark);

export const wayOf = (sample: Sample): SampleWay | undefined =>
  sampleWays.find(({ language, mark }) => language === sample.language && mark === markOf(sample));
